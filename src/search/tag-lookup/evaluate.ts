import { markPostings } from './marks.ts';
import { editsAllowed, looksInside, MATCH_CLASS } from './match-class.ts';
import { type LookupQuery, tagIdOf } from './query.ts';
import type { Store } from './store.ts';
import { visitTypos } from './typos.ts';

/** Above this the progress numbers start again from 0; a query takes at most 16 of them (12 words). */
const PROGRESS_MAX = 0xffff_ff00;
const PROGRESS_STEP = 16;

/**
 * The slots that a query found, each with its class, before any filter.
 *
 * Words are taken one after another. `progress[slot]` is the query's base number plus the count of words that the slot
 * has matched so far, so a slot advances at most once a word and needs no clearing between queries. A word's matches
 * come best class first: the first one to reach a slot gives that word's class, the slot keeps the worst of its words.
 */
export type Evaluator = {
  /**
   * Fills `found` and the columns' `classes`; answers how many slots of `found` count. A call with `typos` must follow
   * one without for the same query.
   */
  evaluate(query: LookupQuery, options: { readonly typos: boolean; readonly at: string | undefined }): number;
  /** Fills `found` with all slots, empty ones included. */
  everything(): Uint32Array;
  readonly found: Uint32Array;
};

export function createEvaluator(store: Store): Evaluator {
  let base = 0;
  let found = new Uint32Array(256);
  let count = 0;
  let shirts: readonly number[] = [];

  const makeRoom = (): void => {
    if (found.length < store.columns.capacity) found = new Uint32Array(store.columns.capacity);
  };

  const begin = (): void => {
    const { columns } = store;
    makeRoom();
    count = 0;
    base += PROGRESS_STEP;
    if (base > PROGRESS_MAX) {
      columns.progress.fill(0);
      base = PROGRESS_STEP;
    }
  };

  /** Marks a slot that another way than the words has found; only after `dropUnfinished`. */
  const include = (slot: number, options: { readonly words: number; readonly matchClass: number }): void => {
    const { progress, classes } = store.columns;
    const done = base + options.words;
    if (progress[slot] === done) {
      classes[slot] = Math.min(classes[slot] ?? 0, options.matchClass);
      return;
    }
    found[count++] = slot;
    progress[slot] = done;
    classes[slot] = options.matchClass;
  };

  /** All records with one dictionary word advance to `position + 1` words. */
  const advance = (wordId: number, position: number, matchClass: number): void => {
    const { postings } = store;
    const { progress, classes } = store.columns;
    const { cells } = postings;
    const start = postings.startOf(wordId);
    const end = start + postings.lengthOf(wordId);
    const next = base + position + 1;
    if (position === 0) {
      for (let at = start; at < end; at += 1) {
        const slot = (cells[at] ?? 0) >>> 1;
        if ((progress[slot] ?? 0) > base) continue;
        progress[slot] = next;
        classes[slot] = matchClass;
        found[count++] = slot;
      }
      return;
    }
    for (let at = start; at < end; at += 1) {
      const slot = (cells[at] ?? 0) >>> 1;
      if (progress[slot] !== next - 1) continue;
      progress[slot] = next;
      if ((classes[slot] ?? 0) < matchClass) classes[slot] = matchClass;
    }
  };

  /** A query of one word: the records where it begins a name outrank those where it begins another word. */
  const advanceNames = (wordId: number): void => {
    const { postings } = store;
    const { progress, classes } = store.columns;
    const { cells } = postings;
    const start = postings.startOf(wordId);
    const end = start + postings.lengthOf(wordId);
    for (let at = start; at < end; at += 1) {
      const posting = cells[at] ?? 0;
      const slot = posting >>> 1;
      const matchClass = (posting & 1) === 1 ? MATCH_CLASS.namePrefix : MATCH_CLASS.wordPrefix;
      if ((progress[slot] ?? 0) > base) {
        if ((classes[slot] ?? 0) > matchClass) classes[slot] = matchClass;
        continue;
      }
      progress[slot] = base + 1;
      classes[slot] = matchClass;
      found[count++] = slot;
    }
  };

  const matchWord = (
    query: LookupQuery,
    options: { readonly word: number; readonly position: number; readonly typos: boolean },
  ): void => {
    const { dictionary } = store;
    const { position } = options;
    const word = query.words[options.word] ?? '';
    const single = query.words.length === 1;
    for (const { order, from, to } of dictionary.rangesOf(word)) {
      for (let at = from; at < to; at += 1) {
        if (single) advanceNames(order[at] ?? 0);
        else advance(order[at] ?? 0, position, MATCH_CLASS.wordPrefix);
      }
    }
    if (looksInside(word)) dictionary.containing(word, (id) => advance(id, position, MATCH_CLASS.infix));
    if (!options.typos || editsAllowed(word) === 0) return;
    const byClass: number[][] = [];
    visitTypos(dictionary, {
      word,
      unfinished: options.word === query.words.length - 1,
      visit: (id, matchClass) => {
        (byClass[matchClass] ??= []).push(id);
      },
    });
    byClass.forEach((ids, matchClass) => {
      for (const id of ids) advance(id, position, matchClass);
    });
  };

  /** Finds whole names and name beginnings among the slots that hold all words as beginnings. */
  const refineNames = (query: LookupQuery): void => {
    const { classes } = store.columns;
    const { text } = query;
    const judge = (slot: number): void => {
      const names = store.entryAt(slot)?.names ?? [];
      if (names[0] === text || names[1] === text) classes[slot] = MATCH_CLASS.exactName;
      else if (names.includes(text, 2)) classes[slot] = MATCH_CLASS.exactAlias;
      else if (names.some((name) => name.startsWith(text))) classes[slot] = MATCH_CLASS.namePrefix;
    };
    if (query.words.length > 1) {
      for (let at = 0; at < count; at += 1) {
        const slot = found[at] ?? 0;
        if (classes[slot] === MATCH_CLASS.wordPrefix) judge(slot);
      }
      return;
    }
    // One word can only be a whole name of records that hold exactly this word.
    const wordId = store.dictionary.idOf(text);
    if (wordId === undefined) return;
    const start = store.postings.startOf(wordId);
    const cells = store.postings.cells.subarray(start, start + store.postings.lengthOf(wordId));
    for (const posting of cells) if ((posting & 1) === 1) judge(posting >>> 1);
  };

  /** The slots that matched all words move to the front. */
  const dropUnfinished = (words: number): void => {
    const { progress } = store.columns;
    let kept = 0;
    for (let at = 0; at < count; at += 1) {
      const slot = found[at] ?? 0;
      if (progress[slot] === base + words) found[kept++] = slot;
    }
    count = kept;
  };

  return {
    evaluate(query, { typos, at }) {
      begin();
      const words = query.words.length;
      for (const [position, word] of bySelectivity(store, query).entries()) matchWord(query, { word, position, typos });
      const id = tagIdOf(query.text);
      const named = id === undefined ? undefined : store.slotOf(id);
      if (words > 1) dropUnfinished(words);
      refineNames(query);
      if (named !== undefined) include(named, { words, matchClass: MATCH_CLASS.exactId });
      // The look for typos repeats a query that has just been evaluated, so its shirts are known.
      if (!typos) shirts = shirtMatches(store, { words: query.words, at });
      for (const slot of shirts) include(slot, { words, matchClass: MATCH_CLASS.shirt });
      return count;
    },
    everything() {
      makeRoom();
      const slots = found;
      const { slotCount } = store;
      for (let slot = 0; slot < slotCount; slot += 1) slots[slot] = slot;
      return slots;
    },
    get found() {
      return found;
    },
  };
}

function shirtMatches(
  store: Store,
  { words, at }: { readonly words: readonly string[]; readonly at: string | undefined },
): readonly number[] {
  const { dictionary, postings, shirts } = store;
  if (!shirts.mayMatch(words)) return [];
  const { ownWords } = store.columns;
  ownWords.fill(0);
  words.forEach((word, bit) => {
    for (const range of dictionary.rangesOf(word)) markPostings(range, { postings, marks: ownWords, shift: 1, bit });
  });
  return shirts.matches(words, { own: ownWords, at });
}

/** Positions of the query's words, those that begin the fewest dictionary words first. */
function bySelectivity(store: Store, query: LookupQuery): readonly number[] {
  if (query.words.length === 1) return [0];
  const widths = query.words.map((word) =>
    store.dictionary.rangesOf(word).reduce((sum, { from, to }) => sum + to - from, 0),
  );
  return query.words.map((_, at) => at).sort((a, b) => (widths[a] ?? 0) - (widths[b] ?? 0) || a - b);
}
