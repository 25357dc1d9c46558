import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.lucene.analysis.core.KeywordAnalyzer;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.Field;
import org.apache.lucene.document.FieldType;
import org.apache.lucene.document.LongPoint;
import org.apache.lucene.document.NumericDocValuesField;
import org.apache.lucene.document.SortedNumericDocValuesField;
import org.apache.lucene.document.SortedSetDocValuesField;
import org.apache.lucene.document.StoredField;
import org.apache.lucene.facet.FacetsConfig;
import org.apache.lucene.index.IndexOptions;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.search.Sort;
import org.apache.lucene.search.SortField;
import org.apache.lucene.store.MMapDirectory;
import org.apache.lucene.util.BytesRef;

/**
 * Builds the index from lines of values with tabs between:
 *   T  id  type  name|name...                                        a tag option; the words of each name, folded
 *   D  id  created  captured  video(0,1)  visible(0,1)  name  tag,tag...  text|text...   an asset
 * Times are milliseconds, captured may be empty, words are folded with single spaces between.
 */
final class Indexer {
  static final Sort ORDER =
      new Sort(new SortField("created_at", SortField.Type.LONG, true), new SortField("id", SortField.Type.LONG, true));
  private static final FieldType TERM = type(IndexOptions.DOCS, true);
  private static final FieldType GRAMS = type(IndexOptions.DOCS_AND_FREQS_AND_POSITIONS, true);
  private static final FieldType TEXT = type(IndexOptions.DOCS_AND_FREQS_AND_POSITIONS, false);

  private static FieldType type(IndexOptions options, boolean omitNorms) {
    FieldType type = new FieldType();
    type.setIndexOptions(options);
    type.setTokenized(options != IndexOptions.DOCS);
    type.setOmitNorms(omitNorms);
    type.freeze();
    return type;
  }

  private record Tag(String type, String facetLabel, String[] names) {}

  private final Map<String, Tag> tags = new HashMap<>();

  static String index(BufferedReader in, Path folder) throws IOException {
    long started = System.nanoTime();
    Indexer indexer = new Indexer();
    IndexWriterConfig config = new IndexWriterConfig(new KeywordAnalyzer());
    config.setRAMBufferSizeMB(256);
    config.setOpenMode(IndexWriterConfig.OpenMode.CREATE);
    // The default order of searches: pages of the newest then need not look at every match.
    config.setIndexSort(ORDER);
    long merging;
    int documents;
    try (MMapDirectory directory = new MMapDirectory(folder); IndexWriter writer = new IndexWriter(directory, config)) {
      for (String line = in.readLine(); line != null; line = in.readLine()) {
        String[] cells = line.split("\t", -1);
        if (cells[0].equals("T")) indexer.addTag(cells);
        else writer.addDocument(indexer.document(cells));
      }
      merging = System.nanoTime();
      writer.forceMerge(1);
      writer.commit();
      documents = writer.getDocStats().numDocs;
    }
    long ended = System.nanoTime();
    long bytes = 0;
    try (var files = Files.list(folder)) {
      for (Path file : (Iterable<Path>) files::iterator) bytes += Files.size(file);
    }
    return String.format(
        "{\"documents\":%d,\"buildMs\":%d,\"mergeMs\":%d,\"bytes\":%d}",
        documents, (ended - started) / 1_000_000, (ended - merging) / 1_000_000, bytes);
  }

  private void addTag(String[] cells) {
    // As many digits for all: labels in order of their bytes are then IDs in order, which decides between equal counts.
    tags.put(cells[1], new Tag(cells[2], String.format("%012d", Long.parseLong(cells[1])), cells[3].split("\\|")));
  }

  private static void facet(Document document, String dimension, String label) {
    String path = FacetsConfig.pathToString(new String[] {dimension, label});
    document.add(new SortedSetDocValuesField(FacetsConfig.DEFAULT_INDEX_FIELD_NAME, new BytesRef(path)));
  }

  private static void time(Document document, String field, long ms) {
    document.add(new LongPoint(field, ms));
    document.add(new NumericDocValuesField(field, ms));
  }

  private Document document(String[] cells) {
    Document document = new Document();
    document.add(new NumericDocValuesField("id", Long.parseLong(cells[1])));
    document.add(new StoredField("id", cells[1]));
    time(document, "created_at", Long.parseLong(cells[2]));
    if (!cells[3].isEmpty()) {
      long captured = Long.parseLong(cells[3]);
      time(document, "captured_at", captured);
      ZonedDateTime at = Instant.ofEpochMilli(captured).atZone(ZoneOffset.UTC);
      document.add(new NumericDocValuesField("captured_month", at.getYear() * 12L + at.getMonthValue() - 1));
    }
    boolean video = cells[4].equals("1");
    document.add(new Field("media_type", video ? "video" : "photo", TERM));
    document.add(new NumericDocValuesField("is_video", video ? 1 : 0));
    facet(document, "media_type", video ? "video" : "photo");
    document.add(new Field("visible", cells[5], TERM));
    document.add(new Field("name", new PositionedTokens(PositionedTokens.trigrams(cells[6]), 0), GRAMS));
    List<String> texts = new ArrayList<>(List.of(cells[8].split("\\|")));
    int players = 0;
    for (String id : cells[7].split(",")) {
      Tag tag = tags.get(id);
      document.add(new Field("tag_options", id, TERM));
      document.add(new SortedNumericDocValuesField("tag_numbers", Long.parseLong(id)));
      facet(document, tag.type(), tag.facetLabel());
      if (tag.type().equals("player")) players += 1;
      texts.addAll(List.of(tag.names()));
    }
    document.add(new Field("players", Integer.toString(players), TERM));
    document.add(new Field("text", new PositionedTokens(texts, 1), TEXT));
    return document;
  }
}
