import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Reads the JSON of the benchmark's requests: strings, numbers, booleans, null, lists and objects. */
final class Json {
  private final String text;
  private int at = 0;

  private Json(String text) {
    this.text = text;
  }

  @SuppressWarnings("unchecked")
  static Map<String, Object> object(String text) {
    return (Map<String, Object>) new Json(text).value();
  }

  @SuppressWarnings("unchecked")
  static List<Map<String, Object>> objects(Object value) {
    return (List<Map<String, Object>>) value;
  }

  private char next() {
    while (Character.isWhitespace(text.charAt(at))) at += 1;
    return text.charAt(at);
  }

  private boolean take(char expected) {
    if (next() != expected) return false;
    at += 1;
    return true;
  }

  private Object value() {
    return switch (next()) {
      case '{' -> members();
      case '[' -> items();
      case '"' -> string();
      case 't', 'f', 'n' -> word();
      default -> number();
    };
  }

  private Map<String, Object> members() {
    Map<String, Object> members = new LinkedHashMap<>();
    take('{');
    while (!take('}')) {
      next();
      String key = string();
      if (!take(':')) throw new IllegalArgumentException("expected : at " + at);
      members.put(key, value());
      take(',');
    }
    return members;
  }

  private List<Object> items() {
    List<Object> items = new ArrayList<>();
    take('[');
    while (!take(']')) {
      items.add(value());
      take(',');
    }
    return items;
  }

  private String string() {
    StringBuilder out = new StringBuilder();
    for (at += 1; text.charAt(at) != '"'; at += 1) {
      char letter = text.charAt(at);
      if (letter != '\\') {
        out.append(letter);
        continue;
      }
      at += 1;
      switch (text.charAt(at)) {
        case 'n' -> out.append('\n');
        case 't' -> out.append('\t');
        case 'u' -> {
          out.append((char) Integer.parseInt(text.substring(at + 1, at + 5), 16));
          at += 4;
        }
        default -> out.append(text.charAt(at));
      }
    }
    at += 1;
    return out.toString();
  }

  private Object word() {
    for (Map.Entry<String, Boolean> word : Map.of("true", true, "false", false).entrySet()) {
      if (text.startsWith(word.getKey(), at)) {
        at += word.getKey().length();
        return word.getValue();
      }
    }
    at += 4;
    return null;
  }

  private Number number() {
    int from = at;
    while (at < text.length() && "+-.eE0123456789".indexOf(text.charAt(at)) >= 0) at += 1;
    String digits = text.substring(from, at);
    return digits.matches("-?\\d+") ? (Number) Long.valueOf(digits) : (Number) Double.valueOf(digits);
  }
}
