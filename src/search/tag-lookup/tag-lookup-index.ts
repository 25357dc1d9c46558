import { compareCodePoints, typeBit } from './columns.ts';
import { createEvaluator } from './evaluate.ts';
import { matchedOn } from './explain.ts';
import { TYPOS_BELOW_HITS } from './match-class.ts';
import { selectPage, type SlotOrder } from './page.ts';
import { type LookupQuery, parseQuery } from './query.ts';
import { createStore, type Store } from './store.ts';
import { createStoredTagWords } from './tag-words.ts';
import type { TagLookupHit, TagLookupIndex, TagLookupRequest, TagLookupResult } from './types.ts';

/** Makes an empty lookup index. A search takes well under 5 ms over 100,000 records; figures in bench/tag-lookup. */
export function createTagLookupIndex(): TagLookupIndex {
  const store = createStore();
  const evaluator = createEvaluator(store);

  const list = (request: TagLookupRequest): TagLookupResult => {
    const count = filterSlots(store, { slots: evaluator.everything(), count: store.slotCount, request });
    return { hits: page(evaluator.found, count, { request, order: listOrder(store), on: () => 'list' }), total: count };
  };

  const find = (query: LookupQuery, request: TagLookupRequest): TagLookupResult => {
    const search = (typos: boolean): number => {
      const count = evaluator.evaluate(query, { typos, at: request.at });
      return filterSlots(store, { slots: evaluator.found, count, request });
    };
    let count = search(false);
    if (count < TYPOS_BELOW_HITS) count = search(true);
    const on = (slot: number): TagLookupHit['matchedOn'] =>
      matchedOn(store.entryAt(slot)?.names ?? [], { query, matchClass: store.columns.classes[slot] ?? 0 });
    return { hits: page(evaluator.found, count, { request, order: matchOrder(store), on }), total: count };
  };

  const page = (
    slots: Uint32Array,
    count: number,
    options: {
      readonly request: TagLookupRequest;
      readonly order: SlotOrder;
      readonly on: (slot: number) => TagLookupHit['matchedOn'];
    },
  ): TagLookupHit[] => {
    const { offset, limit } = options.request;
    const chosen = selectPage(slots, { count, from: offset, to: offset + limit, order: options.order });
    return chosen.map((slot) => ({ id: store.columns.ids[slot] ?? 0, matchedOn: options.on(slot) }));
  };

  return {
    upsert: store.upsert,
    remove: store.remove,
    search(request) {
      const query = parseQuery(request.query);
      if (query === 'list') return list(request);
      return query === undefined ? { hits: [], total: 0 } : find(query, request);
    },
    get(id) {
      const slot = store.slotOf(id);
      return slot === undefined ? undefined : store.entryAt(slot)?.record;
    },
    words: createStoredTagWords(store),
    get size() {
      return store.size;
    },
    get bytes() {
      return store.bytes + evaluator.found.byteLength;
    },
  };
}

/** Moves the slots that are in use and pass the request's type and category to the front; answers how many. */
function filterSlots(
  store: Store,
  options: { readonly slots: Uint32Array; readonly count: number; readonly request: TagLookupRequest },
): number {
  const { slots, request } = options;
  const { typeBits, categories, ids } = store.columns;
  const { within } = request;
  const types = (request.types ?? []).reduce((bits, type) => bits | typeBit(type), 0);
  const typeMask = request.types === undefined ? 0xff : types;
  const wanted = request.categories?.map((category) => store.categoryNumber(category));
  const categorySet = wanted && new Set(wanted);
  let kept = 0;
  for (let at = 0; at < options.count; at += 1) {
    const slot = slots[at] ?? 0;
    if (((typeBits[slot] ?? 0) & typeMask) === 0) continue;
    if (categorySet && !categorySet.has(categories[slot])) continue;
    if (within && !within.has(ids[slot] ?? 0)) continue;
    slots[kept++] = slot;
  }
  return kept;
}

/** Most media first, then the folded label in code point order, then the id. For one search: columns move as they grow. */
function listOrder(store: Store): SlotOrder {
  const { mediaCounts, labelKeys, ids } = store.columns;
  const labelOf = (slot: number): string => store.entryAt(slot)?.names[0] ?? '';
  return (a, b) =>
    (mediaCounts[b] ?? 0) - (mediaCounts[a] ?? 0) ||
    (labelKeys[a] ?? 0) - (labelKeys[b] ?? 0) ||
    compareCodePoints(labelOf(a), labelOf(b)) ||
    (ids[a] ?? 0) - (ids[b] ?? 0);
}

/** Better class, active before deactivated, more media, shorter label, smaller id. */
function matchOrder(store: Store): SlotOrder {
  const { classes, deactivated, mediaCounts, labelLengths, ids } = store.columns;
  return (a, b) =>
    (classes[a] ?? 0) - (classes[b] ?? 0) ||
    (deactivated[a] ?? 0) - (deactivated[b] ?? 0) ||
    (mediaCounts[b] ?? 0) - (mediaCounts[a] ?? 0) ||
    (labelLengths[a] ?? 0) - (labelLengths[b] ?? 0) ||
    (ids[a] ?? 0) - (ids[b] ?? 0);
}
