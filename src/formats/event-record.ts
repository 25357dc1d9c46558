import { AppError, MIB } from '../base/index.ts';

/** A full match of a detailed feed is about 5 MB and 3,500 events: room for a season in one file, and an end to it. */
export const MAX_EVENT_FILE_BYTES = 64 * MIB;
export const MAX_EVENTS = 200_000;

/** A value of `details`, as JSON has it. */
export type JsonValue =
  | string
  | number
  | boolean
  | null
  | readonly JsonValue[]
  | { readonly [name: string]: JsonValue };
export type JsonObject = { readonly [name: string]: JsonValue };

/** A club, player or match as a file names it: by our id, by ids of other systems (`{ opta: '101' }`), by name. */
export type EventEntity = {
  /** ID of a tag option of this installation. */
  readonly id?: number;
  readonly name?: string;
  /** System to id in that system. */
  readonly externalIds?: Readonly<Record<string, string>>;
};
export type EventClub = EventEntity & { readonly side?: 'home' | 'away' };
/** `role` is a snake_case word: scorer, assist, shooter, goalkeeper, passer, receiver, fouler, fouled, carded, in, out... */
export type EventPlayer = EventEntity & { readonly role?: string; readonly shirt?: number };
/** A label: a text, and the group or category it is of. */
export type EventTag = { readonly id?: number; readonly group?: string; readonly text: string };

/** `key` is a snake_case word of ours; `name` what the file or the library calls it; `id` the number of the feed. */
export type EventType = { readonly key: string; readonly name?: string; readonly id?: string };

/** What an event and an exported action have in common. Times in ms; x and y in 0..100, attack from left to right. */
export type EventFacts = {
  readonly type: EventType;
  readonly label?: string;
  /** In the media, half open; equal is a point. */
  readonly startMs?: number;
  readonly endMs?: number;
  readonly eventMs?: number;
  /** RFC 3339, UTC, with ms. */
  readonly wallclockAt?: string;
  /** 1 and 2 the halves, 3 and 4 extra time, 5 the shoot-out. */
  readonly period?: number;
  /** The running match clock: 2,700,000 at the start of period 2 (see base/match-clock). */
  readonly clockMs?: number;
  readonly minute?: number;
  readonly stoppage?: number;
  readonly match?: EventEntity;
  readonly clubs: readonly EventClub[];
  readonly players: readonly EventPlayer[];
  readonly outcome?: string;
  readonly x?: number;
  readonly y?: number;
  readonly endX?: number;
  readonly endY?: number;
  readonly tags: readonly EventTag[];
  readonly details: JsonObject;
  readonly confidence?: number;
  readonly status?: string;
};

/** An action as a writer takes it. */
export type ExportedAction = EventFacts & {
  readonly id: number;
  readonly startMs: number;
  readonly endMs: number;
  readonly source?: string;
  readonly sourceRef?: string;
  readonly sourceVersion?: number;
  readonly parentId?: number;
  readonly version: number;
};

/** One event of a file, in no format's own terms: what an importer makes an action of. */
export type EventRecord = EventFacts & {
  /** Where it stands, for messages: the line it begins on (where the format has lines), and its number among all events from 0. */
  readonly at: EventPlace;
  /** Unique in the file, and the same in the next edition of the file: what a later import corrects by. */
  readonly ref: string;
  /** Grows with each correction; a record with a lower one is older. */
  readonly version?: number;
  /** The event is withdrawn: its action is to be retracted. */
  readonly deleted: boolean;
  /** Who said so, where the file says it: of an action that was exported from here. */
  readonly source?: string;
  /** ID, version and parent of the action it was exported from. */
  readonly actionId?: number;
  readonly actionVersion?: number;
  readonly parentId?: number;
  /** `ref` of other events of the file. */
  readonly relatedRefs: readonly string[];
  readonly parentRef?: string;
};

export type EventPlace = { readonly line?: number; readonly index: number };

/** Something in a file that could not be taken, and where. The event is there without it, or is left out if `isLeftOut`. */
export type EventProblem = {
  readonly at: EventPlace;
  readonly field: string;
  readonly message: string;
  readonly isLeftOut: boolean;
};

/** What a file says of its match as a whole. */
export type EventFileMatch = {
  readonly match?: EventEntity;
  readonly clubs: readonly EventClub[];
  /** RFC 3339, UTC: the time of day of the first frame of the video (Sportscode). */
  readonly mediaStartedAt?: string;
  /** RFC 3339, UTC: when the periods were kicked off (Opta). */
  readonly kickOffs: readonly { readonly period: number; readonly wallclockAt: string }[];
};

export type ParsedEvents = {
  readonly records: readonly EventRecord[];
  readonly problems: readonly EventProblem[];
  readonly match: EventFileMatch;
  /** Colours that the file gives its types, `#rrggbb`. */
  readonly colours: Readonly<Record<string, string>>;
};

export type EventProblems = {
  add(at: EventPlace, field: string, message: string, options?: { readonly isLeftOut: boolean }): void;
  readonly list: readonly EventProblem[];
};

/** A file with a wrong column has a problem a row: enough of them to see it, and their number stays readable. */
const MAX_PROBLEMS = 1000;

/** Collects problems, the first 1,000. */
export function createProblems(): EventProblems {
  const list: EventProblem[] = [];
  return {
    list,
    add(at, field, message, options) {
      if (list.length >= MAX_PROBLEMS) return;
      list.push({ at, field, message, isLeftOut: options?.isLeftOut ?? false });
    },
  };
}

/** Records of one file; keeps the number of events within the limit. @throws payload_too_large beyond it */
export function refuseTooMany(count: number): void {
  if (count <= MAX_EVENTS) return;
  throw new AppError('payload_too_large', `Expected at most ${MAX_EVENTS} events in a file, received more.`);
}

/** A fault that leaves nothing to read. */
export function malformedFile(
  format: string,
  place: { readonly line: number; readonly column: number },
  fault: string,
): AppError {
  const detail = `expected a ${format} file, received a fault at line ${place.line}, column ${place.column}: ${fault}`;
  return new AppError('validation_failed', `The file is not valid: ${detail}`, {
    errors: [{ pointer: '/file', code: 'malformed', detail }],
    details: { line: place.line, column: place.column },
  });
}

export const NO_MATCH: EventFileMatch = { clubs: [], kickOffs: [] };
