/**
 * The lookup rules in their plainest form: every record is judged by itself with full tables and full sorts, and nothing
 * but `foldText` is shared with the index. The tests compare the index with it; the bench shows what the index saves.
 */
import { foldText } from '../../base/index.ts';
import type { TagLookupHit, TagLookupRecord, TagLookupRequest, TagLookupResult } from './types.ts';

/** 0 exact name, 1 exact alias, 2 id, 3 name prefix, 4 word prefix, 5 infix, 6 shirt, 7 to 10 typos; 99 no match. */
const NONE = 99;

export function searchLinearly(records: Iterable<TagLookupRecord>, request: TagLookupRequest): TagLookupResult {
  const kept = [...records].filter(
    (record) =>
      record.status !== 'merged' &&
      (request.types?.includes(record.type) ?? true) &&
      (request.categories === undefined || (record.category !== null && request.categories.includes(record.category))),
  );
  const cut = (hits: readonly TagLookupHit[]): TagLookupResult => ({
    hits: hits.slice(request.offset, request.offset + request.limit),
    total: hits.length,
  });
  if ((request.query ?? '').trim() === '') {
    const labelled = kept.map((record) => ({ record, label: [...foldText(record.label)] }));
    labelled.sort(
      (a, b) =>
        b.record.mediaCount - a.record.mediaCount || byCodePoints(a.label, b.label) || a.record.id - b.record.id,
    );
    return cut(labelled.map(({ record }) => ({ id: record.id, matchedOn: 'list' })));
  }
  const words = foldText((request.query ?? '').slice(0, 200))
    .slice(0, 200)
    .split(' ')
    .filter((word) => word !== '')
    .slice(0, 12);
  if (words.length === 0) return { hits: [], total: 0 };
  const judged = kept.map((record) => judge(record, words));
  const strict = judged.filter((hit) => hit.matchClass < 7);
  const found = strict.length < 5 ? judged.filter((hit) => hit.matchClass < NONE) : strict;
  found.sort(
    (a, b) =>
      a.matchClass - b.matchClass ||
      Number(a.record.status === 'deactivated') - Number(b.record.status === 'deactivated') ||
      b.record.mediaCount - a.record.mediaCount ||
      a.labelLength - b.labelLength ||
      a.record.id - b.record.id,
  );
  return cut(found.map((hit) => ({ id: hit.record.id, matchedOn: hit.matchedOn })));
}

type Judged = {
  readonly record: TagLookupRecord;
  readonly matchClass: number;
  readonly matchedOn: TagLookupHit['matchedOn'];
  readonly labelLength: number;
};

function judge(record: TagLookupRecord, words: readonly string[]): Judged {
  const query = words.join(' ');
  const label = foldText(record.label);
  const names = [label, foldText(record.fullName ?? ''), ...record.aliases.map(foldText)];
  const field = (at: number): TagLookupHit['matchedOn'] => (at <= 0 ? 'label' : at === 1 ? 'full_name' : 'alias');
  const as = (matchClass: number, matchedOn: TagLookupHit['matchedOn']): Judged => ({
    record,
    matchClass,
    matchedOn,
    labelLength: label.length,
  });
  if (query === label) return as(0, 'label');
  if (query === names[1]) return as(0, 'full_name');
  if (names.slice(2).includes(query)) return as(1, 'alias');
  if (query === String(record.id)) return as(2, 'id');
  const prefixed = names.findIndex((name) => name.startsWith(query));
  if (prefixed >= 0) return as(3, field(prefixed));
  const all = wordsOf(names);
  const levels = words.map((word, at) => levelOf(word, all, at === words.length - 1));
  const matchClass = Math.max(...levels);
  if (matchClass <= 5) {
    const level = (name: string, word: string): number => levelOf(word, wordsOf([name]), false);
    const whole = names.findIndex((name) => words.every((word) => level(name, word) <= matchClass));
    if (whole >= 0) return as(matchClass, field(whole));
    return as(matchClass, field(names.findIndex((name) => level(name, words[0] ?? '') <= matchClass)));
  }
  if (isShirt(record, { words, own: all })) return as(6, 'shirt');
  return as(matchClass, 'typo');
}

function isShirt(
  record: TagLookupRecord,
  query: { readonly words: readonly string[]; readonly own: readonly string[] },
) {
  return record.shirts.some(({ number, clubNames }) => {
    const known = [...query.own, ...wordsOf(clubNames.map(foldText))];
    return query.words.some((word, at) => {
      if (!/^[0-9]{1,3}$/.test(word) || Number(word) !== number) return false;
      return query.words.toSpliced(at, 1).every((other) => known.some((name) => name.startsWith(other)));
    });
  });
}

function wordsOf(names: readonly string[]): readonly string[] {
  return names.flatMap((name) => name.split(' ')).filter((word) => word !== '');
}

/** The class that one query word has by itself. */
function levelOf(word: string, names: readonly string[], unfinished: boolean): number {
  if (names.some((name) => name.startsWith(word))) return 4;
  const inside = word.length > 1 || /[\u3041-\u30ff\u3400-\u9fff]/.test(word);
  if (inside && names.some((name) => name.includes(word))) return 5;
  if (word.length < 4 || word.length > 64) return NONE;
  return Math.min(...names.map((name) => typoLevel(word, name, unfinished)), NONE);
}

function typoLevel(word: string, name: string, unfinished: boolean): number {
  const edits = word.length < 8 ? 1 : 2;
  const whole = faults(word, name);
  if (whole <= 1) return 7;
  let beginning = NONE;
  const longest = Math.min(name.length, word.length + 2);
  if (unfinished)
    for (let end = 1; end <= longest; end += 1) beginning = Math.min(beginning, faults(word, name.slice(0, end)));
  if (beginning <= 1) return 8;
  if (whole <= edits) return 9;
  return beginning <= edits ? 10 : NONE;
}

/** Edits between two words; another first letter only as the one fault. */
function faults(word: string, name: string): number {
  if (Math.abs(word.length - name.length) > 2) return NONE;
  if (word.slice(0, 1) === name.slice(0, 1)) return distance(word, name);
  const rest = word.slice(1);
  const single =
    rest === name.slice(1) ||
    rest === name ||
    word === name.slice(1) ||
    word.slice(1, 2) + word.slice(0, 1) + word.slice(2) === name;
  return single ? 1 : NONE;
}

/** Restricted Damerau-Levenshtein distance over UTF-16 units. */
function distance(a: string, b: string): number {
  const table = Array.from({ length: a.length + 1 }, (_, row) =>
    Array.from({ length: b.length + 1 }, (_unused, column) => (row === 0 ? column : column === 0 ? row : 0)),
  );
  const cell = (row: number, column: number): number => table[row]?.[column] ?? NONE;
  for (let row = 1; row <= a.length; row += 1) {
    for (let column = 1; column <= b.length; column += 1) {
      const same = a[row - 1] === b[column - 1] ? 0 : 1;
      let best = Math.min(cell(row - 1, column - 1) + same, cell(row - 1, column) + 1, cell(row, column - 1) + 1);
      const swapped = row > 1 && column > 1 && a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1];
      if (swapped) best = Math.min(best, cell(row - 2, column - 2) + 1);
      const cells = table[row];
      if (cells) cells[column] = best;
    }
  }
  return cell(a.length, b.length);
}

function byCodePoints(a: readonly string[], b: readonly string[]): number {
  for (let at = 0; at < Math.min(a.length, b.length); at += 1) {
    const difference = (a[at]?.codePointAt(0) ?? 0) - (b[at]?.codePointAt(0) ?? 0);
    if (difference !== 0) return difference;
  }
  return a.length - b.length;
}
