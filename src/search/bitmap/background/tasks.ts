import type { ConnectionSettings } from '../../../db/index.ts';
import type { IdRange, IndexField } from '../../../library/index.ts';
import type { Stale } from '../evaluate/view.ts';
import type { SegmentData } from '../segment/sections.ts';

/** What the background thread can be asked for. Everything in it can be sent to a thread; segments without being copied. */
export type Task =
  | {
      readonly kind: 'load';
      readonly connection: ConnectionSettings;
      readonly organizationId: number;
      /** Only assets with these IDs, each range a segment by itself: several threads read a library together. */
      readonly parts: readonly IdRange[];
      /** Whether there are actions to be read. */
      readonly withActions: boolean;
      /** Those whose values in the details are read. */
      readonly fields: readonly IndexField[];
      readonly applicationName: string;
    }
  | {
      readonly kind: 'merge';
      readonly parts: readonly { readonly data: SegmentData; readonly stale: Stale | undefined }[];
    };

/** Segments, none of them empty; of a load, of the library at this version. */
export type TaskResult = { readonly segments: readonly SegmentData[]; readonly version: number };

export type Answer = { readonly result: TaskResult } | { readonly error: string };
