import { radixOrder } from './radix-order.ts';

/** The best documents so far by a number each, ties by ID. */
export type Best = {
  /** Whether a key is worse than those of all the wanted. An equal one may be among them, by its ID. */
  isBeyond(key: number): boolean;
  /** The key that `isBeyond` compares with. */
  readonly bound: number;
  add(key: number, document: number): void;
  finish(): InOrder;
};

/** Documents with their keys, in order; of a deep page there may be a million, of which few are looked at. */
export type InOrder = {
  readonly length: number;
  document(at: number): number;
  key(at: number): number;
};

type Options = { readonly descending: boolean; readonly idOf: (document: number) => number };

/** Up to so many, each is put in its place; more are gathered and sorted now and then. */
const INSERTED = 512;

export function createBest(wanted: number, options: Options): Best {
  return wanted <= INSERTED ? createInserted(wanted, options) : createGathered(wanted, options);
}

function createInserted(wanted: number, { descending, idOf }: Options): Best {
  const keys = new Float64Array(wanted + 1);
  const documents = new Uint32Array(wanted + 1);
  let count = 0;
  let bound = descending ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY;
  /** Whether a document comes before the one at a place. */
  const precedes = (key: number, document: number, place: number): boolean => {
    const other = keys[place] ?? 0;
    if (key !== other) return descending ? key > other : key < other;
    const [id, otherId] = [idOf(document), idOf(documents[place] ?? 0)];
    return descending ? id > otherId : id < otherId;
  };
  return {
    isBeyond: (key) => (descending ? key < bound : key > bound),
    get bound() {
      return bound;
    },
    add(key, document) {
      if (wanted === 0 || (descending ? key < bound : key > bound)) return;
      if (count === wanted && !precedes(key, document, count - 1)) return;
      let low = 0;
      let high = count;
      while (low < high) {
        const middle = (low + high) >>> 1;
        if (precedes(key, document, middle)) high = middle;
        else low = middle + 1;
      }
      keys.copyWithin(low + 1, low, count);
      documents.copyWithin(low + 1, low, count);
      keys[low] = key;
      documents[low] = document;
      if (count < wanted) count += 1;
      if (count === wanted) bound = keys[wanted - 1] ?? bound;
    },
    finish: () => ({ length: count, document: (at) => documents[at] ?? 0, key: (at) => keys[at] ?? 0 }),
  };
}

/** What is gathered before it is cut to the wanted is at least this much. */
const GATHERED = 1 << 16;

function createGathered(wanted: number, { descending, idOf }: Options): Best {
  const most = Math.max(wanted * 2, GATHERED);
  let keys = new Float64Array(GATHERED);
  let documents = new Uint32Array(GATHERED);
  let count = 0;
  let bound = descending ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY;
  const grow = () => {
    const [oldKeys, oldDocuments] = [keys, documents];
    keys = new Float64Array(Math.min(most, keys.length * 2));
    documents = new Uint32Array(keys.length);
    keys.set(oldKeys);
    documents.set(oldDocuments);
  };
  /** Puts the wanted into their order. */
  const cut = () => {
    const order = radixOrder(keys, count, (place) => idOf(documents[place] ?? 0));
    if (descending) order.reverse();
    count = Math.min(count, wanted);
    const first = order.subarray(0, count);
    const [oldKeys, oldDocuments] = [keys, documents];
    keys = new Float64Array(keys.length);
    documents = new Uint32Array(keys.length);
    for (let at = 0; at < count; at += 1) {
      const place = first[at] ?? 0;
      keys[at] = oldKeys[place] ?? 0;
      documents[at] = oldDocuments[place] ?? 0;
    }
    if (count === wanted) bound = keys[wanted - 1] ?? bound;
  };
  return {
    isBeyond: (key) => (descending ? key < bound : key > bound),
    get bound() {
      return bound;
    },
    add(key, document) {
      if (descending ? key < bound : key > bound) return;
      if (count === keys.length) {
        if (count < most) grow();
        else cut();
      }
      keys[count] = key;
      documents[count] = document;
      count += 1;
    },
    finish() {
      cut();
      return { length: count, document: (at) => documents[at] ?? 0, key: (at) => keys[at] ?? 0 };
    },
  };
}
