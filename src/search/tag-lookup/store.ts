import { foldText } from '../../base/index.ts';
import { type Columns, columnBytes, createColumns, grownColumns, writeColumns } from './columns.ts';
import { createDictionary, type Dictionary } from './dictionary.ts';
import { createIntLists, type IntLists } from './int-lists.ts';
import { createShirts, type Shirts } from './shirts.ts';
import type { TagLookupRecord } from './types.ts';

/** One searchable record in its slot, with everything that was derived from its text. */
export type Entry = {
  readonly record: TagLookupRecord;
  /** Folded: the label, the full name (empty without one), then the aliases. */
  readonly names: readonly string[];
  /** Rows of the shirt lists. */
  readonly shirtRows: readonly number[];
};

/** The records and all lists over them. A posting is `slot * 2`, plus 1 when the word begins one of the names. */
export type Store = {
  upsert(records: readonly TagLookupRecord[]): void;
  remove(ids: readonly number[]): void;
  slotOf(id: number): number | undefined;
  entryAt(slot: number): Entry | undefined;
  categoryNumber(category: string): number | undefined;
  readonly dictionary: Dictionary;
  readonly shirts: Shirts;
  /** By word id. */
  readonly postings: IntLists;
  readonly columns: Columns;
  /** Slots are numbered below this; some may be empty. */
  readonly slotCount: number;
  readonly size: number;
  readonly bytes: number;
};

const NO_SHIRTS: Entry['shirtRows'] = [];

/** The words of names: 1 for those that begin one of them, else 0. */
type Begins = ReadonlyMap<string, number>;
const NO_WORDS: Begins = new Map();

function beginsOf(names: readonly string[]): Begins {
  const begins = new Map<string, number>();
  for (const name of names) {
    if (name === '') continue;
    let first = 1;
    for (const word of name.split(' ')) {
      begins.set(word, (begins.get(word) ?? 0) | first);
      first = 0;
    }
  }
  return begins;
}

function lettersOf(names: readonly string[]): number {
  return names.reduce((sum, name) => sum + name.length, 0);
}

export function createStore(): Store {
  const entries: (Entry | undefined)[] = [];
  const slots = new Map<number, number>();
  const freeSlots: number[] = [];
  const categories = new Map<string, number>();
  const dictionary = createDictionary();
  const shirts = createShirts();
  const postings = createIntLists();
  let columns = createColumns();
  let nameLetters = 0;

  /** Only words that differ are touched: a word of many records has a long list. */
  const changeWords = (slot: number, before: Begins, after: Begins): void => {
    for (const [word, first] of before) {
      const kept = after.get(word);
      if (kept === first) continue;
      const id = dictionary.idOf(word);
      if (id === undefined) continue;
      postings.remove(id, slot * 2 + first);
      if (kept === undefined) dictionary.release(id);
    }
    for (const [word, first] of after) {
      const known = before.get(word);
      if (known === first) continue;
      const id = known === undefined ? dictionary.retain(word) : dictionary.idOf(word);
      if (id !== undefined) postings.push(id, slot * 2 + first);
    }
  };

  const addEntry = (slot: number, record: TagLookupRecord, before: Entry | undefined): Entry => {
    const names = [record.label, record.fullName ?? '', ...record.aliases].map(foldText);
    changeWords(slot, beginsOf(before?.names ?? []), beginsOf(names));
    nameLetters += lettersOf(names) - lettersOf(before?.names ?? []);
    if (before) shirts.remove(slot, before.shirtRows);
    return { record, names, shirtRows: record.shirts.length === 0 ? NO_SHIRTS : shirts.add(slot, record.shirts) };
  };

  const takeApart = (slot: number, entry: Entry): void => {
    nameLetters -= lettersOf(entry.names);
    changeWords(slot, beginsOf(entry.names), NO_WORDS);
    shirts.remove(slot, entry.shirtRows);
  };

  const removeOne = (id: number): void => {
    const slot = slots.get(id);
    const entry = slot === undefined ? undefined : entries[slot];
    if (slot === undefined || !entry) return;
    takeApart(slot, entry);
    entries[slot] = undefined;
    columns.typeBits[slot] = 0;
    slots.delete(id);
    freeSlots.push(slot);
  };

  const categoryOf = (category: string | null): number => {
    if (category === null) return 0;
    const known = categories.get(category);
    if (known !== undefined) return known;
    categories.set(category, categories.size + 1);
    return categories.size;
  };

  const put = (record: TagLookupRecord): void => {
    if (record.status === 'merged') {
      removeOne(record.id);
      return;
    }
    const slot = slots.get(record.id) ?? freeSlots.pop() ?? entries.length;
    if (slot >= columns.capacity) columns = grownColumns(columns, slot + 1);
    const before = entries[slot];
    let entry: Entry;
    if (before && sameText(before.record, record)) entry = { ...before, record };
    else entry = addEntry(slot, record, before);
    entries[slot] = entry;
    slots.set(record.id, slot);
    writeColumns(columns, slot, {
      record,
      label: entry.names[0] ?? '',
      category: categoryOf(record.category),
    });
  };

  return {
    upsert(records) {
      for (const record of records) put(record);
      dictionary.commit();
      shirts.commit();
    },
    remove(ids) {
      for (const id of ids) removeOne(id);
      dictionary.commit();
      shirts.commit();
    },
    slotOf: (id) => slots.get(id),
    entryAt: (slot) => entries[slot],
    categoryNumber: (category) => categories.get(category),
    dictionary,
    shirts,
    postings,
    get columns() {
      return columns;
    },
    get slotCount() {
      return entries.length;
    },
    get size() {
      return slots.size;
    },
    get bytes() {
      // An entry with its lists and string headers is about 400 bytes, its record about 300 (measured on the bench's
      // generator, where names hold 20 letters on average and appear once raw and once folded).
      const perRecord = slots.size * 700 + nameLetters * 2;
      return perRecord + dictionary.bytes + shirts.bytes + postings.bytes + columnBytes(columns);
    },
  };
}

/** Whether only counters and states differ: by far the most frequent change, since every tagging moves a count. */
function sameText(a: TagLookupRecord, b: TagLookupRecord): boolean {
  return (
    a.label === b.label &&
    a.fullName === b.fullName &&
    sameList(a.aliases, b.aliases) &&
    a.shirts.length === b.shirts.length &&
    a.shirts.every((shirt, at) => {
      const other = b.shirts[at];
      return (
        other !== undefined &&
        shirt.number === other.number &&
        shirt.from === other.from &&
        shirt.to === other.to &&
        sameList(shirt.clubNames, other.clubNames)
      );
    })
  );
}

function sameList(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((item, at) => item === b[at]);
}
