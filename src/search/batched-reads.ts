/** Reads by ID for callers that ask at the same time: together, in few queries. */
export type BatchedReads<Document> = {
  /** Every document is read after the call; those that are gone are missing. Throws what the read throws. */
  read(ids: readonly number[]): Promise<ReadonlyMap<number, Document>>;
};

/** Two: while one is unpacked here, the database is busy with the next one. */
const PARALLEL_READS = 2;
/** A query has a cost of its own, which this many spread; more would hold up those who wait for the first. */
const MOST_IDS = 200;

type Waiting<Document> = {
  readonly ids: Set<number>;
  readonly done: Promise<ReadonlyMap<number, Document>>;
  readonly settle: (found: Promise<ReadonlyMap<number, Document>>) => void;
};

function createWaiting<Document>(): Waiting<Document> {
  let settle: Waiting<Document>['settle'] = () => {};
  const done = new Promise<ReadonlyMap<number, Document>>((resolve) => {
    settle = resolve;
  });
  return { ids: new Set(), done, settle };
}

/** While reads are under way, what is asked for meanwhile waits for the next one. */
export function createBatchedReads<Document extends { readonly id: number }>(
  read: (ids: readonly number[]) => Promise<readonly Document[]>,
): BatchedReads<Document> {
  const waiting: Waiting<Document>[] = [];
  let running = 0;

  const readAll = async (ids: readonly number[]): Promise<ReadonlyMap<number, Document>> => {
    running += 1;
    try {
      const found = await read(ids);
      return new Map(found.map((document) => [document.id, document]));
    } finally {
      running -= 1;
      begin();
    }
  };

  const begin = (): void => {
    const next = running < PARALLEL_READS ? waiting.shift() : undefined;
    if (next) next.settle(readAll([...next.ids]));
  };

  return {
    read(ids) {
      let batch = waiting.at(-1);
      if (!batch || batch.ids.size + ids.length > MOST_IDS) {
        batch = createWaiting();
        waiting.push(batch);
      }
      for (const id of ids) batch.ids.add(id);
      begin();
      return batch.done;
    },
  };
}
