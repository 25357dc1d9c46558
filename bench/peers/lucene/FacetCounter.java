import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import org.apache.lucene.facet.FacetResult;
import org.apache.lucene.facet.FacetsCollector;
import org.apache.lucene.facet.FacetsCollector.MatchingDocs;
import org.apache.lucene.facet.LabelAndValue;
import org.apache.lucene.facet.sortedset.DefaultSortedSetDocValuesReaderState;
import org.apache.lucene.facet.sortedset.SortedSetDocValuesFacetCounts;
import org.apache.lucene.facet.sortedset.SortedSetDocValuesReaderState;
import org.apache.lucene.index.IndexReader;
import org.apache.lucene.index.LeafReader;
import org.apache.lucene.index.NumericDocValues;
import org.apache.lucene.index.SortedNumericDocValues;
import org.apache.lucene.search.DocIdSetIterator;

/** Counts facets of collected matches, in one of two ways. */
final class FacetCounter {
  private static final int MONTHS = 12 * 3000;

  /** Keys with their counts, the largest first; months ascending. */
  record Counted(String[] keys, int[] counts) {
    void write(StringBuilder out) {
      out.append('[');
      for (int at = 0; at < keys.length; at += 1) {
        if (at > 0) out.append(',');
        out.append("[\"").append(keys[at]).append("\",").append(counts[at]).append(']');
      }
      out.append(']');
    }
  }

  private final LeafReader leaf;
  private final SortedSetDocValuesReaderState state;
  /** The facet of each tag option by its number, and how many numbers there are. */
  private final Map<String, int[]> numbersByType = new HashMap<>();
  private int numbers = 0;

  FacetCounter(IndexReader reader) throws IOException {
    leaf = reader.leaves().get(0).reader();
    state = new DefaultSortedSetDocValuesReaderState(reader);
    for (var dimension : state.getPrefixToOrdRange().entrySet()) {
      if (dimension.getKey().equals("media_type")) continue;
      int first = dimension.getValue().start;
      int[] ids = new int[dimension.getValue().end - first + 1];
      var ordinals = state.getDocValues();
      for (int at = 0; at < ids.length; at += 1) {
        String path = ordinals.lookupOrd(first + at).utf8ToString();
        ids[at] = Integer.parseInt(path.substring(path.length() - 12));
        numbers = Math.max(numbers, ids[at] + 1);
      }
      numbersByType.put(dimension.getKey(), ids);
    }
  }

  List<Counted> count(FacetsCollector matches, List<Map<String, Object>> facets, boolean byOrdinals) throws IOException {
    List<Counted> answers = new ArrayList<>();
    SortedSetDocValuesFacetCounts ordinals = null;
    int[] counts = null;
    for (Map<String, Object> facet : facets) {
      String field = (String) facet.get("field");
      int limit = ((Number) facet.get("limit")).intValue();
      if (field.equals("captured_at")) {
        answers.add(months(matches, limit));
      } else if (byOrdinals) {
        if (ordinals == null) ordinals = new SortedSetDocValuesFacetCounts(state, matches);
        answers.add(fromLibrary(ordinals.getTopChildren(limit, field), field));
      } else if (field.equals("media_type")) {
        answers.add(mediaTypes(matches));
      } else {
        if (counts == null) counts = countNumbers(matches);
        answers.add(top(numbersByType.get(field), counts, limit));
      }
    }
    return answers;
  }

  private static Counted fromLibrary(FacetResult found, String field) {
    if (found == null) return new Counted(new String[0], new int[0]);
    String[] keys = new String[found.labelValues.length];
    int[] counts = new int[keys.length];
    for (int at = 0; at < keys.length; at += 1) {
      LabelAndValue one = found.labelValues[at];
      keys[at] = field.equals("media_type") ? one.label : Integer.toString(Integer.parseInt(one.label));
      counts[at] = one.value.intValue();
    }
    return new Counted(keys, counts);
  }

  private int[] countNumbers(FacetsCollector matches) throws IOException {
    int[] counts = new int[numbers];
    SortedNumericDocValues values = leaf.getSortedNumericDocValues("tag_numbers");
    for (MatchingDocs found : matches.getMatchingDocs()) {
      DocIdSetIterator documents = found.bits.iterator();
      for (int doc = documents.nextDoc(); doc != DocIdSetIterator.NO_MORE_DOCS; doc = documents.nextDoc()) {
        if (!values.advanceExact(doc)) continue;
        for (int left = values.docValueCount(); left > 0; left -= 1) counts[(int) values.nextValue()] += 1;
      }
    }
    return counts;
  }

  private Counted mediaTypes(FacetsCollector matches) throws IOException {
    NumericDocValues values = leaf.getNumericDocValues("is_video");
    int videos = 0;
    int all = 0;
    for (MatchingDocs found : matches.getMatchingDocs()) {
      DocIdSetIterator documents = found.bits.iterator();
      for (int doc = documents.nextDoc(); doc != DocIdSetIterator.NO_MORE_DOCS; doc = documents.nextDoc()) {
        all += 1;
        if (values.advanceExact(doc)) videos += (int) values.longValue();
      }
    }
    List<String> keys = new ArrayList<>();
    if (all > videos) keys.add("photo");
    if (videos > 0) keys.add(videos > all - videos ? 0 : keys.size(), "video");
    int ofVideos = videos;
    int ofPhotos = all - videos;
    return new Counted(
        keys.toArray(String[]::new), keys.stream().mapToInt(key -> key.equals("video") ? ofVideos : ofPhotos).toArray());
  }

  private Counted months(FacetsCollector matches, int limit) throws IOException {
    int[] counts = new int[MONTHS];
    NumericDocValues values = leaf.getNumericDocValues("captured_month");
    for (MatchingDocs found : matches.getMatchingDocs()) {
      DocIdSetIterator documents = found.bits.iterator();
      for (int doc = documents.nextDoc(); doc != DocIdSetIterator.NO_MORE_DOCS; doc = documents.nextDoc()) {
        if (values.advanceExact(doc)) counts[(int) values.longValue()] += 1;
      }
    }
    List<String> keys = new ArrayList<>();
    List<Integer> found = new ArrayList<>();
    for (int month = MONTHS - 1; month >= 0 && keys.size() < limit; month -= 1) {
      if (counts[month] == 0) continue;
      keys.add(0, String.format("%04d-%02d-01T00:00:00.000Z", month / 12, month % 12 + 1));
      found.add(0, counts[month]);
    }
    return new Counted(keys.toArray(String[]::new), found.stream().mapToInt(Integer::intValue).toArray());
  }

  /** The largest counts, ties by ascending ID. */
  private static Counted top(int[] ids, int[] counts, int limit) {
    PriorityQueue<Integer> worstFirst = new PriorityQueue<>(
        limit + 1, (a, b) -> counts[a] != counts[b] ? Integer.compare(counts[a], counts[b]) : Integer.compare(b, a));
    int least = 0;
    for (int id : ids) {
      if (counts[id] == 0 || (worstFirst.size() == limit && counts[id] <= least)) continue;
      worstFirst.add(id);
      if (worstFirst.size() > limit) worstFirst.poll();
      least = counts[worstFirst.peek()];
    }
    String[] keys = new String[worstFirst.size()];
    int[] found = new int[keys.length];
    for (int at = keys.length - 1; at >= 0; at -= 1) {
      int id = worstFirst.poll();
      keys[at] = Integer.toString(id);
      found[at] = counts[id];
    }
    return new Counted(keys, found);
  }
}
