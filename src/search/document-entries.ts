/** What is kept of an asset. */
export type CachedDocument = {
  readonly id: number;
  readonly bytes: number;
  /** From then on it has to be made anew, whatever changes. */
  readonly goodUntilMs: number;
};

/** Documents of one organization, up to a number of bytes: those that nobody asked for are let go first. */
export type DocumentEntries<Document> = {
  find(id: number, nowMs: number): Document | undefined;
  keep(document: Document): void;
  drop(id: number): void;
  clear(): void;
  readonly size: number;
  readonly bytes: number;
};

/** The map and the objects around a document. */
const ENTRY_BYTES = 300;
/** So many marked documents are passed over for each one kept: a search never goes round the whole map. */
const MOST_PASSED = 8;

/**
 * Goes round like a clock (second chance): a hit only marks its document, so that a search moves nothing in a large map;
 * a document that was marked since it was last looked at stays for another round.
 */
export function createDocumentEntries<Document extends CachedDocument>(maxBytes: number): DocumentEntries<Document> {
  type Entry = { readonly document: Document; asked: boolean };
  const byId = new Map<number, Entry>();
  let bytes = 0;

  const drop = (id: number): void => {
    const present = byId.get(id);
    if (!present) return;
    byId.delete(id);
    bytes -= present.document.bytes + ENTRY_BYTES;
  };

  const trim = (): void => {
    let passed = 0;
    for (const [id, entry] of byId) {
      if (bytes <= maxBytes) return;
      if (entry.asked && passed < MOST_PASSED) {
        passed += 1;
        entry.asked = false;
        byId.delete(id);
        byId.set(id, entry);
      } else drop(id);
    }
  };

  return {
    find(id, nowMs) {
      const present = byId.get(id);
      if (!present || present.document.goodUntilMs <= nowMs) return undefined;
      present.asked = true;
      return present.document;
    },
    keep(document) {
      drop(document.id);
      byId.set(document.id, { document, asked: false });
      bytes += document.bytes + ENTRY_BYTES;
      trim();
    },
    drop,
    clear() {
      byId.clear();
      bytes = 0;
    },
    get size() {
      return byId.size;
    },
    get bytes() {
      return bytes;
    },
  };
}
