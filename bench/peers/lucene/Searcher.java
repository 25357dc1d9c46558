import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.lucene.facet.FacetsCollector;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.NumericDocValues;
import org.apache.lucene.search.FieldDoc;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.LRUQueryCache;
import org.apache.lucene.search.MultiCollector;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.QueryCache;
import org.apache.lucene.search.ScoreDoc;
import org.apache.lucene.search.Sort;
import org.apache.lucene.search.SortField;
import org.apache.lucene.search.TopDocs;
import org.apache.lucene.search.TopDocsCollector;
import org.apache.lucene.search.TopFieldCollector;
import org.apache.lucene.search.TopScoreDocCollector;
import org.apache.lucene.search.UsageTrackingQueryCachingPolicy;
import org.apache.lucene.store.MMapDirectory;

/**
 * One request as JSON: `filter`, `sort` (created_at, captured_at: newest first; relevance), `limit`, `offset`, `facets` and
 * how it is to be answered: `passes` (1: page and total from one; 2: the total for itself, then a page that may end early),
 * `cache` (Lucene's cache of filters), `counting` of facets (`ordinals`: lucene-facet over sorted sets; `numbers`: plain
 * doc values). Answered with `nanos` from the parsed request to the finished answer.
 */
final class Searcher implements AutoCloseable {
  private record Answer(long total, long[] ids, List<FacetCounter.Counted> facets) {}

  private final MMapDirectory directory;
  private final DirectoryReader reader;
  private final IndexSearcher searcher;
  private QueryCache cache = newCache();
  private final FacetCounter facetCounter;

  Searcher(Path folder) throws IOException {
    directory = new MMapDirectory(folder);
    reader = DirectoryReader.open(directory);
    if (reader.leaves().size() != 1) throw new IllegalStateException("expected one segment, received " + reader.leaves().size());
    searcher = new IndexSearcher(reader);
    facetCounter = new FacetCounter(reader);
  }

  /** As Lucene's own default: 1,000 filters in at most 32 MB. */
  private static QueryCache newCache() {
    return new LRUQueryCache(1000, 32L << 20);
  }

  int documents() {
    return reader.numDocs();
  }

  String answer(String line) throws IOException {
    Map<String, Object> request = Json.object(line);
    if (request.containsKey("clear")) {
      cache = newCache();
      searcher.setQueryCachingPolicy(new UsageTrackingQueryCachingPolicy());
      return "{}";
    }
    searcher.setQueryCache(Boolean.TRUE.equals(request.get("cache")) ? cache : null);
    long started = System.nanoTime();
    Answer answer = search(request);
    long nanos = System.nanoTime() - started;
    StringBuilder out = new StringBuilder("{\"nanos\":").append(nanos).append(",\"total\":").append(answer.total());
    out.append(",\"ids\":").append(java.util.Arrays.toString(answer.ids())).append(",\"facets\":[");
    for (int at = 0; at < answer.facets().size(); at += 1) {
      if (at > 0) out.append(',');
      answer.facets().get(at).write(out);
    }
    return out.append("]}").toString();
  }

  private Answer search(Map<String, Object> request) throws IOException {
    String sortName = (String) request.get("sort");
    boolean relevance = sortName.equals("relevance");
    @SuppressWarnings("unchecked")
    Query query = QueryBuilder.of((Map<String, Object>) request.get("filter"), relevance);
    int limit = ((Number) request.get("limit")).intValue();
    int offset = ((Number) request.get("offset")).intValue();
    List<Map<String, Object>> facets = Json.objects(request.get("facets"));
    boolean onePass = ((Number) request.get("passes")).intValue() == 1;
    int threshold = onePass ? Integer.MAX_VALUE : 1;
    TopDocsCollector<?> page = relevance
        ? TopScoreDocCollector.create(offset + limit, threshold)
        : TopFieldCollector.create(sortOf(sortName), offset + limit, threshold);
    FacetsCollector matches = facets.isEmpty() ? null : new FacetsCollector(false);
    long total;
    if (onePass) {
      if (matches == null) searcher.search(query, page);
      else searcher.search(query, MultiCollector.wrap(page, matches));
      total = page.getTotalHits();
    } else {
      if (matches == null) total = searcher.count(query);
      else {
        searcher.search(query, matches);
        total = matches.getMatchingDocs().stream().mapToLong(one -> one.totalHits).sum();
      }
      searcher.search(query, page);
    }
    long[] ids = idsOf(page.topDocs(offset, limit));
    List<FacetCounter.Counted> counted = matches == null
        ? new ArrayList<>()
        : facetCounter.count(matches, facets, request.get("counting").equals("ordinals"));
    return new Answer(total, ids, counted);
  }

  private static Sort sortOf(String field) {
    if (field.equals("created_at")) return Indexer.ORDER;
    SortField first = new SortField(field, SortField.Type.LONG, true);
    // Without a value: last.
    first.setMissingValue(Long.MIN_VALUE);
    return new Sort(first, new SortField("id", SortField.Type.LONG, true));
  }

  private long[] idsOf(TopDocs found) throws IOException {
    long[] ids = new long[found.scoreDocs.length];
    for (int at = 0; at < ids.length; at += 1) {
      ScoreDoc one = found.scoreDocs[at];
      if (one instanceof FieldDoc sorted) {
        ids[at] = (Long) sorted.fields[1];
        continue;
      }
      NumericDocValues values = reader.leaves().get(0).reader().getNumericDocValues("id");
      values.advance(one.doc);
      ids[at] = values.longValue();
    }
    return ids;
  }

  @Override
  public void close() throws IOException {
    reader.close();
    directory.close();
  }
}
