import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;

/**
 * Lucene as a peer of the search benchmark. `index <folder>` reads documents from standard input (see DocumentReader) and
 * answers one line of JSON; `search <folder>` answers each line of JSON with one (see Searcher).
 */
public final class LucenePeer {
  public static void main(String[] args) throws Exception {
    if (args.length != 2) throw new IllegalArgumentException("expected index or search, and a folder");
    BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8), 1 << 20);
    PrintStream out = new PrintStream(System.out, true, "UTF-8");
    Path folder = Path.of(args[1]);
    if (args[0].equals("index")) {
      out.println(Indexer.index(in, folder));
      return;
    }
    try (Searcher searcher = new Searcher(folder)) {
      out.println("{\"ready\":true,\"documents\":" + searcher.documents() + "}");
      for (String line = in.readLine(); line != null; line = in.readLine()) out.println(searcher.answer(line));
    }
  }
}
