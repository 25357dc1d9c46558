import java.util.ArrayList;
import java.util.List;
import org.apache.lucene.analysis.TokenStream;
import org.apache.lucene.analysis.tokenattributes.CharTermAttribute;
import org.apache.lucene.analysis.tokenattributes.PositionIncrementAttribute;

/** Words that are ready: those of each text one after the other, with a gap of `gap` places between texts. */
final class PositionedTokens extends TokenStream {
  private final CharTermAttribute term = addAttribute(CharTermAttribute.class);
  private final PositionIncrementAttribute increment = addAttribute(PositionIncrementAttribute.class);
  private final List<String> words = new ArrayList<>();
  private final List<Integer> increments = new ArrayList<>();
  private int next = 0;

  PositionedTokens(List<String> texts, int gap) {
    for (String text : texts) {
      boolean first = true;
      for (String word : text.split(" ")) {
        if (word.isEmpty()) continue;
        words.add(word);
        increments.add(first && words.size() > 1 ? 1 + gap : 1);
        first = false;
      }
    }
  }

  /** Three letters each, every place of a name; spaces become another letter, as words are divided by them. */
  static List<String> trigrams(String name) {
    String folded = name.toLowerCase().replace(' ', '\u0001');
    StringBuilder grams = new StringBuilder();
    for (int at = 0; at + 3 <= folded.length(); at += 1) grams.append(folded, at, at + 3).append(' ');
    return List.of(grams.toString());
  }

  @Override
  public boolean incrementToken() {
    if (next >= words.size()) return false;
    clearAttributes();
    term.append(words.get(next));
    increment.setPositionIncrement(increments.get(next));
    next += 1;
    return true;
  }

  @Override
  public void reset() {
    next = 0;
  }
}
