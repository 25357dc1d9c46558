import { wordsOf } from '../../src/base/index.ts';
import { impactOf, looseImpact, PLACE_WEIGHTS, TAG_IMPACT, weightOf } from '../../src/search/text/relevance.ts';
import { withinEdits } from '../../src/search/text/tag-words.ts';
import type { ModelTag } from './search-model.ts';

/** An asset or an action: what has words. */
export type TextDocument = {
  readonly id: number;
  readonly name?: string;
  readonly details?: Readonly<Record<string, unknown>>;
  readonly tags?: readonly number[];
  /** Its words were not computed yet. */
  readonly unread?: boolean;
};

/** What `text` means, over lists in memory: every question looks at every word of every asset. */
export type ModelClause = {
  /** One word, or several that follow one another. */
  readonly words: readonly string[];
  readonly negated: boolean;
  /** The word may go on. */
  readonly open: boolean;
};

export type TextModel = {
  holds(asset: TextDocument, text: string): boolean;
  /** The sum over the positive clauses of these texts. */
  score(asset: TextDocument, texts: readonly string[]): number;
};

type Run = { readonly weight: number; readonly words: readonly string[] };

const CLASS_A = ['title', 'headline'];
const CLASS_B = ['caption', 'description', 'alt_text', 'keywords', 'persons', 'event', 'location', 'city'];

function stringsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(stringsIn) : [];
}

/** The texts of an asset; words follow one another within one of them only. */
function runsOf(asset: TextDocument): readonly Run[] {
  if (asset.unread) return [];
  const weightOfField = (field: string) => {
    if (CLASS_A.includes(field)) return PLACE_WEIGHTS.A;
    return CLASS_B.includes(field) ? PLACE_WEIGHTS.B : PLACE_WEIGHTS.C;
  };
  const texts = Object.entries(asset.details ?? {}).flatMap(([field, value]) =>
    stringsIn(value).map((text) => ({ weight: weightOfField(field), words: wordsOf(text) })),
  );
  return [{ weight: PLACE_WEIGHTS.A, words: wordsOf(asset.name ?? 'photo.jpg') }, ...texts];
}

/** Reads a query letter by letter. */
export function readQuery(text: string): readonly ModelClause[] {
  const clauses: ModelClause[] = [];
  let at = 0;
  while (at < text.length) {
    if (/\s/u.test(text.charAt(at))) {
      at += 1;
      continue;
    }
    const first = at === 0 || /\s/u.test(text.charAt(at - 1));
    const negated = first && text.charAt(at) === '-' && at + 1 < text.length && !/\s/u.test(text.charAt(at + 1));
    if (negated) at += 1;
    const quoted = text.charAt(at) === '"';
    if (quoted) at += 1;
    const from = at;
    const ends = quoted ? /"|$/gu : /["\s]|$/gu;
    ends.lastIndex = at;
    at = ends.exec(text)?.index ?? text.length;
    const words = wordsOf(text.slice(from, at));
    const open = !quoted && !negated && at === text.length;
    if (quoted) at += 1;
    if (words.length > 1 && !quoted && !negated) {
      words.forEach((word, n) => clauses.push({ words: [word], negated, open: open && n === words.length - 1 }));
    } else if (words.length > 0) clauses.push({ words, negated, open: open && words.length === 1 });
  }
  return clauses;
}

const containsRun = (all: readonly string[], part: readonly string[]): boolean =>
  all.some((_, at) => part.every((word, n) => all[at + n] === word));

export function createTextModel(assets: readonly TextDocument[], tags: readonly ModelTag[]): TextModel {
  const runs = new Map(assets.map((asset) => [asset.id, runsOf(asset)]));
  const namesOf = new Map(tags.map((tag) => [tag.id, tag.names.map(wordsOf)]));
  const ownRuns = (asset: TextDocument) => runs.get(asset.id) ?? [];
  const ownWords = (asset: TextDocument) => new Set(ownRuns(asset).flatMap((run) => run.words));
  const tagNames = (asset: TextDocument) => (asset.tags ?? []).flatMap((id) => namesOf.get(id) ?? []);
  const vocabulary = new Set([...assets.flatMap((asset) => [...ownWords(asset)]), ...[...namesOf.values()].flat(2)]);

  /** How words are compared for this clause: a mistake is forgiven only where nothing else is meant. */
  const comparison = (clause: ModelClause) => {
    const [asked = ''] = clause.words;
    const exact = (word: string) => word === asked || (clause.open && word.startsWith(asked));
    if (clause.negated || [...vocabulary].some(exact)) return exact;
    return (word: string) => withinEdits(asked, word);
  };
  const impactIn = (asset: TextDocument, word: string): number => {
    const all = ownRuns(asset);
    const length = all.reduce((sum, run) => sum + run.words.length, 0);
    const frequency = all.reduce((sum, run) => sum + run.weight * run.words.filter((one) => one === word).length, 0);
    return impactOf(frequency, length);
  };

  /** 0 when the asset does not meet the clause. */
  const best = (asset: TextDocument, clause: ModelClause): number => {
    if (clause.words.length > 1) {
      const own = ownRuns(asset).some((run) => containsRun(run.words, clause.words));
      const tagged = tagNames(asset).some((name) => containsRun(name, clause.words));
      return Math.max(0, tagged ? TAG_IMPACT : 0, ...(own ? clause.words.map((word) => impactIn(asset, word)) : []));
    }
    const [asked = ''] = clause.words;
    const meant = comparison(clause);
    const impact = (word: string, exactly: number) => (word === asked ? exactly : looseImpact(exactly));
    const own = [...ownWords(asset)].filter(meant).map((word) => impact(word, impactIn(asset, word)));
    const tagged = tagNames(asset)
      .flat()
      .filter(meant)
      .map((word) => impact(word, TAG_IMPACT));
    return Math.max(0, ...own, ...tagged);
  };

  const remembered = new Map<string, ReadonlyMap<number, number>>();
  /** By asset that meets the clause, its best impact. */
  const bests = (clause: ModelClause): ReadonlyMap<number, number> => {
    const key = JSON.stringify(clause);
    const found =
      remembered.get(key) ??
      new Map(assets.map((asset) => [asset.id, best(asset, clause)] as const).filter(([, impact]) => impact > 0));
    remembered.set(key, found);
    return found;
  };

  return {
    holds: (asset, text) => readQuery(text).every((clause) => bests(clause).has(asset.id) !== clause.negated),
    score(asset, texts) {
      const positive = texts.flatMap(readQuery).filter((clause) => !clause.negated);
      return positive.reduce((sum, clause) => {
        const meeting = bests(clause);
        return sum + weightOf(meeting.size, assets.length) * (meeting.get(asset.id) ?? 0);
      }, 0);
    },
  };
}
