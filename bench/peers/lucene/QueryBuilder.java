import java.util.List;
import java.util.Map;
import org.apache.lucene.document.LongPoint;
import org.apache.lucene.document.NumericDocValuesField;
import org.apache.lucene.index.Term;
import org.apache.lucene.search.BooleanClause.Occur;
import org.apache.lucene.search.BooleanQuery;
import org.apache.lucene.search.ConstantScoreQuery;
import org.apache.lucene.search.IndexOrDocValuesQuery;
import org.apache.lucene.search.NGramPhraseQuery;
import org.apache.lucene.search.PhraseQuery;
import org.apache.lucene.search.PrefixQuery;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.TermQuery;

/** The benchmark's filters (src/search/filter/filter-tree.ts, pairs of bounds as one `range`) as queries of Lucene. */
final class QueryBuilder {
  private static final Query VISIBLE = new TermQuery(new Term("visible", "1"));
  private static final Query HIDDEN = new TermQuery(new Term("visible", "0"));

  private final BooleanQuery.Builder all = new BooleanQuery.Builder();
  private final Occur required;
  private boolean hasRequired = false;

  private QueryBuilder(boolean scoring) {
    required = scoring ? Occur.MUST : Occur.FILTER;
  }

  /** A whole search: what everybody may see and the filter holds. The few hidden are taken out, which is the cheaper way. */
  static Query of(Map<String, Object> filter, boolean scoring) {
    QueryBuilder builder = new QueryBuilder(scoring);
    builder.add(filter);
    if (builder.hasRequired) builder.all.add(HIDDEN, Occur.MUST_NOT);
    else builder.all.add(VISIBLE, Occur.FILTER);
    return builder.all.build();
  }

  private static Query nested(Map<String, Object> filter) {
    QueryBuilder builder = new QueryBuilder(false);
    builder.add(filter);
    if (!builder.hasRequired) builder.all.add(VISIBLE, Occur.FILTER);
    return new ConstantScoreQuery(builder.all.build());
  }

  private void require(Query query) {
    all.add(query, required);
    hasRequired = true;
  }

  private static Query any(List<Query> queries) {
    BooleanQuery.Builder builder = new BooleanQuery.Builder();
    for (Query query : queries) builder.add(query, Occur.SHOULD);
    return new ConstantScoreQuery(builder.build());
  }

  private void add(Map<String, Object> filter) {
    switch ((String) filter.get("kind")) {
      case "all" -> Json.objects(filter.get("filters")).forEach(this::add);
      case "any" -> require(any(Json.objects(filter.get("filters")).stream().map(QueryBuilder::nested).toList()));
      case "none" -> {
        for (Map<String, Object> child : Json.objects(filter.get("filters"))) all.add(nested(child), Occur.MUST_NOT);
      }
      case "ids" -> addIds((String) filter.get("test"), ids((List<?>) filter.get("ids")));
      case "compare" -> require(new TermQuery(new Term("media_type", (String) ((List<?>) filter.get("values")).get(0))));
      case "range" -> require(range(filter));
      case "name" -> require(name((String) filter.get("contains")));
      case "text" -> {
        @SuppressWarnings("unchecked")
        Map<String, Object> query = (Map<String, Object>) filter.get("query");
        Json.objects(query.get("clauses")).forEach(this::addText);
      }
      default -> throw new IllegalArgumentException("unknown kind " + filter.get("kind"));
    }
  }

  private static List<Query> ids(List<?> ids) {
    return ids.stream().<Query>map(id -> new TermQuery(new Term("tag_options", Long.toString(((Number) id).longValue())))).toList();
  }

  private void addIds(String test, List<Query> terms) {
    switch (test) {
      case "all" -> terms.forEach(this::require);
      case "none" -> terms.forEach(term -> all.add(term, Occur.MUST_NOT));
      case "any" -> require(any(terms));
      case "only" -> require(onlyPlayers(terms));
      default -> throw new IllegalArgumentException("unknown test " + test);
    }
  }

  /** An indexed number of players: n of these players and n players in all, for each n. */
  private static Query onlyPlayers(List<Query> terms) {
    BooleanQuery.Builder either = new BooleanQuery.Builder();
    for (int count = 1; count <= terms.size(); count += 1) {
      BooleanQuery.Builder these = new BooleanQuery.Builder();
      these.setMinimumNumberShouldMatch(count);
      for (Query term : terms) these.add(term, Occur.SHOULD);
      these.add(new TermQuery(new Term("players", Integer.toString(count))), Occur.FILTER);
      either.add(these.build(), Occur.SHOULD);
    }
    return new ConstantScoreQuery(either.build());
  }

  private static Query range(Map<String, Object> filter) {
    String field = (String) filter.get("field");
    long from = ((Number) filter.get("from")).longValue();
    long to = ((Number) filter.get("to")).longValue();
    return new IndexOrDocValuesQuery(
        LongPoint.newRangeQuery(field, from, to), NumericDocValuesField.newSlowRangeQuery(field, from, to));
  }

  /** Trigrams that follow one another are the part itself. */
  private static Query name(String contains) {
    String part = contains.toLowerCase();
    if (part.length() < 3) throw new IllegalArgumentException("expected at least 3 letters of a name");
    PhraseQuery.Builder phrase = new PhraseQuery.Builder();
    for (int at = 0; at + 3 <= part.length(); at += 1) phrase.add(new Term("name", part.substring(at, at + 3)), at);
    return new NGramPhraseQuery(3, phrase.build());
  }

  private void addText(Map<String, Object> clause) {
    Query query;
    if (clause.get("kind").equals("phrase")) {
      PhraseQuery.Builder phrase = new PhraseQuery.Builder();
      for (Object word : (List<?>) clause.get("words")) phrase.add(new Term("text", (String) word));
      query = phrase.build();
    } else {
      Term term = new Term("text", (String) clause.get("word"));
      query = Boolean.TRUE.equals(clause.get("prefix")) ? new PrefixQuery(term) : new TermQuery(term);
    }
    if (Boolean.TRUE.equals(clause.get("negated"))) all.add(query, Occur.MUST_NOT);
    else require(query);
  }
}
