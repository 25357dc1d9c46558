/**
 * The lookup rules in their plainest form: every record is judged by itself with full tables and full sorts, and nothing
 * but `foldText` is shared with the index. The tests compare the index with it; the bench shows what the index saves.
 */
import { foldText } from '../../base/index.ts';
import type { TagLookupHit, TagLookupRecord, TagLookupRequest, TagLookupResult, TagLookupShirt } from './types.ts';

/** 0 exact name, 1 exact alias, 2 id, 3 name prefix, 4 word prefix, 5 infix, 6 shirt, 7 to 10 typos; 99 no match. */
const NONE = 99;

type MatchedOn = TagLookupHit['matchedOn'];
type Prepared = {
  readonly record: TagLookupRecord;
  readonly names: readonly string[];
  readonly words: readonly string[];
  readonly shirts: readonly (Pick<TagLookupShirt, 'number' | 'from' | 'to'> & { readonly words: readonly string[] })[];
};
type Judged = { readonly entry: Prepared; readonly matchClass: number; readonly matchedOn: MatchedOn };

/** Folds the records once and answers a search by judging each of them. */
export function createLinearScan(records: Iterable<TagLookupRecord>): (request: TagLookupRequest) => TagLookupResult {
  const prepared = [...records].filter((record) => record.status !== 'merged').map(prepare);
  return (request) => {
    const kept = prepared.filter(
      ({ record }) =>
        (request.types?.includes(record.type) ?? true) &&
        (request.categories === undefined ||
          (record.category !== null && request.categories.includes(record.category))) &&
        (request.within?.has(record.id) ?? true),
    );
    const cut = (hits: readonly TagLookupHit[]): TagLookupResult => ({
      hits: hits.slice(request.offset, request.offset + request.limit),
      total: hits.length,
    });
    if ((request.query ?? '').trim() === '') {
      return cut(kept.toSorted(byList).map(({ record }) => ({ id: record.id, matchedOn: 'list' })));
    }
    const words = foldText((request.query ?? '').slice(0, 200))
      .slice(0, 200)
      .split(' ')
      .filter((word) => word !== '')
      .slice(0, 12);
    if (words.length === 0) return { hits: [], total: 0 };
    const search = (typos: boolean): Judged[] =>
      kept.map((entry) => judge(entry, { words, typos, at: request.at })).filter((hit) => hit.matchClass < NONE);
    const strict = search(false);
    const found = strict.length < 5 ? search(true) : strict;
    return cut(found.sort(byMatch).map((hit) => ({ id: hit.entry.record.id, matchedOn: hit.matchedOn })));
  };
}

function prepare(record: TagLookupRecord): Prepared {
  const names = [foldText(record.label), foldText(record.fullName ?? ''), ...record.aliases.map(foldText)];
  const words = wordsOf(names);
  const shirts = record.shirts.map(({ clubNames, ...shirt }) => ({
    ...shirt,
    words: [...words, ...wordsOf(clubNames.map(foldText))],
  }));
  return { record, names, words, shirts };
}

function byList(a: Prepared, b: Prepared): number {
  const labels = (entry: Prepared): readonly string[] => Array.from(entry.names[0] ?? '');
  return b.record.mediaCount - a.record.mediaCount || byCodePoints(labels(a), labels(b)) || a.record.id - b.record.id;
}

function byMatch(a: Judged, b: Judged): number {
  const gone = ({ entry }: Judged): number => Number(entry.record.status === 'deactivated');
  const labelLength = ({ entry }: Judged): number => entry.names[0]?.length ?? 0;
  return (
    a.matchClass - b.matchClass ||
    gone(a) - gone(b) ||
    b.entry.record.mediaCount - a.entry.record.mediaCount ||
    labelLength(a) - labelLength(b) ||
    a.entry.record.id - b.entry.record.id
  );
}

type Asked = { readonly words: readonly string[]; readonly typos: boolean; readonly at: string | undefined };

function judge(entry: Prepared, asked: Asked): Judged {
  const { names } = entry;
  const { words, typos } = asked;
  const query = words.join(' ');
  const field = (at: number): MatchedOn => (at <= 0 ? 'label' : at === 1 ? 'full_name' : 'alias');
  const as = (matchClass: number, matchedOn: MatchedOn): Judged => ({ entry, matchClass, matchedOn });
  if (query === names[0]) return as(0, 'label');
  if (query === names[1]) return as(0, 'full_name');
  if (names.slice(2).includes(query)) return as(1, 'alias');
  if (query === String(entry.record.id)) return as(2, 'id');
  const prefixed = names.findIndex((name) => name.startsWith(query));
  if (prefixed >= 0) return as(3, field(prefixed));
  const strict = Math.max(...words.map((word) => strictLevel(word, entry.words)));
  if (strict <= 5) {
    const reaches = (name: string, word: string): boolean => strictLevel(word, name.split(' ')) <= strict;
    const whole = names.findIndex((name) => words.every((word) => reaches(name, word)));
    return as(strict, field(whole >= 0 ? whole : names.findIndex((name) => reaches(name, words[0] ?? ''))));
  }
  if (isShirt(entry, asked)) return as(6, 'shirt');
  if (!typos) return as(NONE, 'typo');
  const levels = words.map((word, at) =>
    Math.min(
      strictLevel(word, entry.words),
      ...entry.words.map((name) => typoLevel(word, name, at === words.length - 1)),
    ),
  );
  return as(Math.max(...levels), 'typo');
}

function isShirt(entry: Prepared, { words, at: day }: Asked): boolean {
  const worn = entry.shirts.filter(
    ({ from, to }) => day === undefined || ((from ?? '0000') <= day && (to ?? '9999') >= day),
  );
  return worn.some((shirt) =>
    words.some((word, at) => {
      if (!/^[0-9]{1,3}$/.test(word) || Number(word) !== shirt.number) return false;
      return words.toSpliced(at, 1).every((other) => shirt.words.some((name) => name.startsWith(other)));
    }),
  );
}

function wordsOf(names: readonly string[]): readonly string[] {
  return names.flatMap((name) => name.split(' ')).filter((word) => word !== '');
}

/** The class that one query word has by itself, without typos. */
function strictLevel(word: string, names: readonly string[]): number {
  if (names.some((name) => name.startsWith(word))) return 4;
  const inside = word.length > 1 || /[\u3041-\u30ff\u3400-\u9fff]/.test(word);
  return inside && names.some((name) => name.includes(word)) ? 5 : NONE;
}

function typoLevel(word: string, name: string, unfinished: boolean): number {
  if (word.length < 4 || word.length > 64 || /\p{N}/u.test(word)) return NONE;
  const edits = word.length < 8 ? 1 : 2;
  const whole = faults(word, name);
  if (whole <= 1) return 7;
  let beginning = NONE;
  const longest = unfinished ? Math.min(name.length, word.length + 2) : 0;
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
