/** The best documents so far by a number each, ties by ID. */
export type Best = {
  /** Whether a key is worse than those of all the wanted. An equal one may be among them, by its ID. */
  isBeyond(key: number): boolean;
  /** The key that `isBeyond` compares with. */
  readonly bound: number;
  add(key: number, document: number): void;
  /** In order. */
  finish(): readonly { readonly document: number; readonly key: number }[];
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
    finish: () => Array.from({ length: count }, (_, at) => ({ document: documents[at] ?? 0, key: keys[at] ?? 0 })),
  };
}

function createGathered(wanted: number, { descending, idOf }: Options): Best {
  const sign = descending ? -1 : 1;
  let keys: number[] = [];
  let documents: number[] = [];
  let bound = descending ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY;
  const compare = (a: number, b: number): number => {
    const [x = 0, y = 0] = [keys[a], keys[b]];
    if (x !== y) return x < y ? -sign : sign;
    return sign * (idOf(documents[a] ?? 0) - idOf(documents[b] ?? 0));
  };
  const cut = () => {
    const order = keys.map((_, at) => at).sort(compare);
    order.length = Math.min(order.length, wanted);
    keys = order.map((at) => keys[at] ?? 0);
    documents = order.map((at) => documents[at] ?? 0);
    if (keys.length === wanted) bound = keys[wanted - 1] ?? bound;
  };
  return {
    isBeyond: (key) => (descending ? key < bound : key > bound),
    get bound() {
      return bound;
    },
    add(key, document) {
      if (descending ? key < bound : key > bound) return;
      keys.push(key);
      documents.push(document);
      if (keys.length >= wanted * 2) cut();
    },
    finish() {
      cut();
      return documents.map((document, at) => ({ document, key: keys[at] ?? 0 }));
    },
  };
}
