import { grown } from './growing.ts';

/** A short list of codes per document, all in one arena: what an update removes from and `only` reads. */
export type ForwardList = {
  set(document: number, codes: readonly number[]): void;
  /** The codes of a document; a view that the next `set` may invalidate. */
  get(document: number): Uint32Array;
  readonly bytes: number;
};

export function createForwardList(): ForwardList {
  let arena = new Uint32Array(1024);
  let used = 0;
  let garbage = 0;
  let starts = new Uint32Array(0);
  let lengths = new Uint32Array(0);
  let documents = 0;

  /** Lists that changed leave holes; when they are half of the arena, it is written anew. */
  const compact = () => {
    const next = new Uint32Array(Math.max(1024, (used - garbage) * 2));
    let at = 0;
    for (let document = 0; document < documents; document += 1) {
      const start = starts[document] ?? 0;
      const length = lengths[document] ?? 0;
      next.set(arena.subarray(start, start + length), at);
      starts[document] = at;
      at += length;
    }
    arena = next;
    used = at;
    garbage = 0;
  };

  return {
    set(document, codes) {
      starts = grown(starts, document + 1);
      lengths = grown(lengths, document + 1);
      documents = Math.max(documents, document + 1);
      garbage += lengths[document] ?? 0;
      lengths[document] = 0;
      if (garbage > 65_536 && garbage * 2 > used) compact();
      arena = grown(arena, used + codes.length);
      arena.set(codes, used);
      starts[document] = used;
      lengths[document] = codes.length;
      used += codes.length;
    },
    get(document) {
      const start = starts[document] ?? 0;
      return arena.subarray(start, start + (lengths[document] ?? 0));
    },
    get bytes() {
      return arena.byteLength + starts.byteLength + lengths.byteLength;
    },
  };
}
