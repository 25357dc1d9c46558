import { setImmediate as breathe } from 'node:timers/promises';
import type { IndexRow, TagType } from '../../library/index.ts';
import type { ActionEngineRequest, EngineRequest, EngineResult } from '../engine.ts';
import { countActions, searchActionsView } from './action-view.ts';
import type { IndexView } from './contexts.ts';
import { createWorkspace, type Workspace } from './evaluate/chunk-value.ts';
import { isStale, type SegmentView, withStale } from './evaluate/view.ts';
import { searchView } from './search-view.ts';
import type { SegmentData } from './segment/sections.ts';
import { openSegment, type Segment } from './segment/segment.ts';
import { createSegmentBuilder, SEGMENT_WEIGHT, weightOf } from './segment/segment-builder.ts';

/** Rows of this weight are kept as rows, and made into a segment anew for the first search after each write: at most 2 ms. */
const RECENT_WEIGHT = 128;
/** Rows are made into segments in pieces of this weight, between which other requests run. */
const PIECE_WEIGHT = 512;
/** A search that takes longer lets others run in between. */
const SLICE_MS = 4;
/** So many segments are worth being made into one. */
const MAX_SEGMENTS = 12;
/** The newer segments are merged with the largest when they have this share of its weight, and at least so much. */
const MERGE_SHARE = 1 / 8;
const MERGE_WEIGHT = 32_768;
/** A segment of so much weight is merged no more, until a quarter of it is stale. */
const SETTLED_WEIGHT = SEGMENT_WEIGHT;

/** Segments that shall become one, with what is stale in them now. */
export type MergePlan = { readonly parts: readonly SegmentView[] };

/** A change that is collected page by page, and that searches see all at once. */
export type IndexChange = {
  /** Takes the present state of some assets, each once in a change. */
  add(rows: readonly IndexRow[]): Promise<void>;
  /** Forgets assets that are gone for good, and shows all of the change. */
  finish(removed: readonly number[]): Promise<void>;
};

/** One organization's assets in memory: large segments that never change, small ones of what was written since. */
export type LibraryIndex = {
  /** Begins a change of which searches see all or nothing; one after the other. */
  begin(): IndexChange;
  /** A change of few assets. */
  apply(change: { readonly rows: readonly IndexRow[]; readonly removed: readonly number[] }): Promise<void>;
  /** Says what types tag options are of; `only` and facets ask for it. */
  setTagTypes(types: ReadonlyMap<number, TagType>): void;
  hasTagType(id: number): boolean;
  assetsInCollection(id: number): readonly number[];
  /** Assets of segments whose words were not known when the segment was made: a start fills them in, and tells nobody. */
  assetsWithoutWords(): readonly number[];
  /** Whether some asset has a text in a field of the organization's own that is too long to be kept. */
  hasLongText(fieldId: number): boolean;
  /** Lets other requests run when it takes long. @throws the signal's reason */
  search(request: EngineRequest): Promise<EngineResult>;
  /** As `search`, of actions. */
  searchActions(request: ActionEngineRequest): Promise<EngineResult>;
  /** Segments worth merging; undefined when there are few. */
  planMerge(): MergePlan | undefined;
  /** Puts the merged segment in the place of its parts. What became stale in them meanwhile is stale in it. */
  finishMerge(plan: MergePlan, merged: readonly SegmentData[]): void;
  /** What a snapshot holds: every segment with the IDs that are stale in it. */
  snapshot(): readonly { readonly data: SegmentData; readonly stale: readonly number[] }[];
  /** Assets, those in the bin included. */
  readonly size: number;
  /** Each as often as the videos that it lies in. */
  readonly actions: number;
  /** In assets, see `weightOf`. */
  readonly weight: number;
  /** Memory of segments and rows; `textBytes` of it are names and words. */
  readonly bytes: number;
  readonly textBytes: number;
  readonly segments: number;
};

let shared: Workspace | undefined;

/** One for all: a search uses it up between two yields. */
function workspace(): Workspace {
  shared ??= createWorkspace();
  return shared;
}

function segmentOf(rows: Iterable<IndexRow>): Segment {
  const builder = createSegmentBuilder();
  for (const row of rows) builder.add(row);
  return openSegment(builder.finish());
}

const weightOfRow = ({ actions }: IndexRow): number => weightOf({ assets: 1, actions: actions.length });

function weightOfRows(rows: Iterable<IndexRow>): number {
  let weight = 0;
  for (const row of rows) weight += weightOfRow(row);
  return weight;
}

/** Rows in pieces of about one weight; a row with many actions is one by itself. */
function* inPieces(rows: readonly IndexRow[]): Generator<readonly IndexRow[]> {
  let piece: IndexRow[] = [];
  let weight = 0;
  for (const row of rows) {
    if (piece.length > 0 && weight + weightOfRow(row) > PIECE_WEIGHT) {
      yield piece;
      piece = [];
      weight = 0;
    }
    piece.push(row);
    weight += weightOfRow(row);
  }
  if (piece.length > 0) yield piece;
}

/** Runs a search to its end; lets others run every few milliseconds. @throws the signal's reason */
async function finishSearch(
  steps: Generator<void, EngineResult>,
  signal: AbortSignal | undefined,
): Promise<EngineResult> {
  let sliceFrom = performance.now();
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
    if (performance.now() - sliceFrom < SLICE_MS) continue;
    await breathe();
    signal?.throwIfAborted();
    sliceFrom = performance.now();
  }
}

const TEXT_SECTIONS = /^(action\/)?(name_|word|place)|^detail\/text_/;

function textBytesOf(data: SegmentData): number {
  return Object.entries(data.sections).reduce(
    (sum, [name, section]) => sum + (TEXT_SECTIONS.test(name) ? section.byteLength : 0),
    0,
  );
}

/** An index of the given segments; none of their assets may be live in two. */
export function createLibraryIndex(
  initial: readonly { readonly data: SegmentData; readonly stale: readonly number[] }[] = [],
): LibraryIndex {
  let segments: SegmentView[] = initial.map(({ data, stale }) => {
    const segment = openSegment(data);
    const documents = stale.map((id) => segment.documentOf(id)).filter((document) => document >= 0);
    return { segment, stale: documents.length === 0 ? undefined : withStale(undefined, segment, documents) };
  });
  let recent = new Map<number, IndexRow>();
  let recentSegment: Segment | undefined;
  const tagTypes = new Map<number, TagType>();
  const tagType = (id: number) => tagTypes.get(id);

  const liveSize = () =>
    segments.reduce((sum, { segment, stale }) => sum + segment.size - (stale?.count ?? 0), 0) + recent.size;

  const recentActions = () => [...recent.values()].reduce((sum, row) => sum + row.actions.length, 0);
  const countLiveActions = () => countActions(segments) + recentActions();

  /** Marks assets as stale wherever they are. */
  const dropFrom = (views: readonly SegmentView[], ids: readonly number[]): SegmentView[] =>
    views.map((view) => {
      const documents = ids
        .map((id) => view.segment.documentOf(id))
        .filter((document) => document >= 0 && !isStale(view.stale, document));
      return documents.length === 0 ? view : { ...view, stale: withStale(view.stale, view.segment, documents) };
    });

  /** Segments of which all documents are stale hold nothing. */
  const publish = (views: readonly SegmentView[]) => {
    segments = views.filter(({ segment, stale }) => (stale?.count ?? 0) < segment.size);
  };

  const begin = (): IndexChange => {
    const fresh: SegmentView[] = [];
    const ids: number[] = [];
    let pending: readonly IndexRow[] = [];
    const cut = async (pieces: Iterable<readonly IndexRow[]>) => {
      for (const piece of pieces) {
        fresh.push({ segment: segmentOf(piece), stale: undefined });
        await breathe();
      }
    };
    return {
      async add(rows) {
        for (const { id } of rows) ids.push(id);
        const pieces = [...inPieces([...pending, ...rows])];
        // The last one may be filled by what is still to come.
        pending = pieces.pop() ?? [];
        await cut(pieces);
      },
      async finish(removed) {
        const few = fresh.length === 0 && weightOfRows(recent.values()) + weightOfRows(pending) <= RECENT_WEIGHT;
        const gone = [...ids, ...removed];
        if (!few) {
          // Everything newer than the segments: what was kept as rows goes along, unless it comes anew.
          const given = new Set(gone);
          await cut(inPieces([...pending, ...[...recent.values()].filter((row) => !given.has(row.id))]));
        }
        publish([...dropFrom(segments, gone), ...fresh]);
        if (few) {
          for (const row of pending) recent.set(row.id, row);
          for (const id of removed) recent.delete(id);
        } else recent = new Map();
        recentSegment = undefined;
      },
    };
  };

  const currentView = (): IndexView => {
    if (recent.size > 0) recentSegment ??= segmentOf(recent.values());
    const newest: SegmentView[] = recentSegment ? [{ segment: recentSegment, stale: undefined }] : [];
    return { segments: [...segments, ...newest], size: liveSize(), tagType };
  };

  return {
    begin,
    async apply({ rows, removed }) {
      const change = begin();
      await change.add(rows);
      await change.finish(removed);
    },
    setTagTypes(types) {
      for (const [id, type] of types) tagTypes.set(id, type);
    },
    hasTagType: (id) => tagTypes.has(id),
    assetsInCollection(id) {
      const found = [...recent.values()].filter((row) => row.collection_ids.includes(id)).map((row) => row.id);
      for (const { segment, stale } of segments) {
        const set = segment.valueSet('collection', id);
        if (set < 0) continue;
        for (const document of segment.documentsOf(set)) {
          if (!isStale(stale, document)) found.push(segment.id(document));
        }
      }
      return found;
    },
    assetsWithoutWords: () =>
      segments.flatMap(({ segment, stale }) =>
        Array.from({ length: segment.wordless === 0 ? 0 : segment.size }, (_, document) => document)
          .filter((document) => !segment.hasWords(document) && !isStale(stale, document))
          .map((document) => segment.id(document)),
      ),
    hasLongText: (fieldId) =>
      currentView().segments.some(({ segment }) => (segment.details?.markSet(fieldId, 'long') ?? -1) >= 0),
    search: (request) => finishSearch(searchView(workspace(), currentView(), request), request.signal),
    searchActions: (request) => finishSearch(searchActionsView(workspace(), currentView(), request), request.signal),
    planMerge() {
      const small = segments.filter(({ segment }) => segment.weight < SETTLED_WEIGHT);
      const worn = segments.filter(({ segment, stale }) => (stale?.count ?? 0) > segment.size / 4);
      if (small.length < MAX_SEGMENTS) {
        const [most] = worn.filter(({ segment }) => segment.weight > MERGE_WEIGHT);
        return most && { parts: [most] };
      }
      const [largest, ...others] = small.toSorted((a, b) => b.segment.weight - a.segment.weight);
      if (!largest) return undefined;
      const weight = others.reduce((sum, { segment }) => sum + segment.weight, 0);
      const withLargest = weight > Math.max(MERGE_WEIGHT, largest.segment.weight * MERGE_SHARE);
      return { parts: withLargest ? [largest, ...others] : others };
    },
    finishMerge(plan, merged) {
      const since: number[] = [];
      for (const part of plan.parts) {
        const now = segments.find((one) => one.segment === part.segment);
        for (let document = 0; document < part.segment.size; document += 1) {
          // A part that is gone altogether became stale to its last document.
          const isGone = now ? isStale(now.stale, document) : true;
          if (isGone && !isStale(part.stale, document)) since.push(part.segment.id(document));
        }
      }
      const parts = new Set(plan.parts.map((part) => part.segment));
      const fresh = merged.map((data): SegmentView => ({ segment: openSegment(data), stale: undefined }));
      publish([...dropFrom(fresh, since), ...segments.filter((one) => !parts.has(one.segment))]);
    },
    snapshot: () =>
      currentView().segments.map(({ segment, stale }) => ({
        data: segment.data,
        stale: Array.from({ length: stale ? segment.size : 0 }, (_, document) => document)
          .filter((document) => isStale(stale, document))
          .map((document) => segment.id(document)),
      })),
    get size() {
      return liveSize();
    },
    get actions() {
      return countLiveActions();
    },
    get weight() {
      return weightOf({ assets: liveSize(), actions: countLiveActions() });
    },
    get bytes() {
      // A row with its tags and words takes about a kilobyte as an object, and so does an action.
      const ofSegments = segments.reduce(
        (sum, { segment, stale }) => sum + segment.bytes + (stale?.bits.byteLength ?? 0),
        0,
      );
      return ofSegments + (recent.size + recentActions()) * 1024 + tagTypes.size * 48;
    },
    get textBytes() {
      return segments.reduce((sum, { segment }) => sum + textBytesOf(segment.data), 0);
    },
    get segments() {
      return segments.length;
    },
  };
}
