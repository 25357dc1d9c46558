import type { LibraryScope } from '../../auth/index.ts';
import { AppError, type FieldError, invalidField } from '../../base/index.ts';
import type { Database } from '../../db/index.ts';
import {
  detectEventFormat,
  EVENT_FORMATS,
  type EventFormat,
  type EventPlace,
  type EventProblem,
  type EventRecord,
  type ParsedEvents,
  parseEvents,
} from '../../formats/index.ts';
import {
  type Action,
  type ActionOutcome,
  type ActionPatch,
  type ActionVideo,
  findActions,
  findActionsBySource,
  findActionVideos,
  findTag,
  type LibraryWrite,
  patchAction,
  sourceKey,
  writeActions,
  writeLibrary,
} from '../../library/index.ts';
import { draftOf, retractionOf } from './event-draft.ts';
import { type EventNames, resolveNames, type UnknownName } from './event-names.ts';
import { exportedIdOf, sourceOf } from './event-source.ts';

/** One transaction holds up the organization's other writes: 20,000 events are six full matches and some ten seconds. */
const MAX_IMPORTED_EVENTS = 20_000;
/** Of one refused import: enough to see what is wrong. */
const MAX_ERRORS = 100;

export type EventImportOptions = {
  readonly mediaId: number;
  /** Undefined: by the file's first bytes. */
  readonly format: EventFormat | undefined;
  /** `strict`: any unknown name or fault refuses the whole file. `lenient`: takes what can be taken, and makes tag options for names. */
  readonly mode: 'strict' | 'lenient';
  /** Does everything and undoes it: the report is what an import would answer. */
  readonly preview: boolean;
  /** Name of the source instead of the format's own. */
  readonly source: string | undefined;
  /** Who imports: name of the API key. */
  readonly actor: string;
};

/** What became of one event; `retracted` are those that the file withdraws, `ignored` those that it withdraws and nobody knows. */
export type ImportedEvent = {
  readonly at: EventPlace;
  readonly ref: string;
  readonly result: 'created' | 'updated' | 'unchanged' | 'stale' | 'retracted' | 'ignored' | 'failed';
  readonly id: number | undefined;
  readonly error: AppError | undefined;
};

export type EventImportReport = {
  readonly format: EventFormat;
  readonly events: readonly ImportedEvent[];
  readonly unknown: readonly UnknownName[];
  readonly problems: readonly EventProblem[];
};

/** Undoes the transaction of a preview, and takes its report out of it. */
class Undone extends Error {
  readonly report: EventImportReport;
  constructor(report: EventImportReport) {
    super('a preview is undone');
    this.report = report;
  }
}

const placeText = ({ line, index }: EventPlace) => (line === undefined ? `event ${index}` : `line ${line}`);

function refusal(errors: readonly FieldError[], total: number): AppError {
  const [first] = errors;
  const detail = `The file was not imported: ${total} ${total === 1 ? 'fault' : 'faults'}, the first: ${first?.detail}`;
  return new AppError('validation_failed', detail, { errors: errors.slice(0, MAX_ERRORS), details: { faults: total } });
}

/** What was wrong with one event; that its type is unknown is said once for all events of the type. */
function faultsOf(error: AppError | undefined): readonly FieldError[] {
  if (!error) return [];
  const faults = error.errors.length > 0 ? error.errors : [{ pointer: '', code: error.code, detail: error.message }];
  return faults.filter((one) => !(one.pointer === '/type' && one.code === 'unknown_tag_option'));
}

/** In strict mode all that is wrong with a file refuses it. @throws AppError `validation_failed` */
function refuseFaults({ unknown, problems, events }: EventImportReport): void {
  const errors = [
    ...unknown.map(({ kind, name, reason, count }): FieldError => {
      const detail = `expected ${kind}s of the library, received the ${reason} ${kind} "${name}" in ${count} events`;
      return { pointer: `/${kind}s/${name}`, code: `${reason}_${kind}`, detail };
    }),
    ...problems.map(
      ({ at, field, message }): FieldError => ({
        pointer: `/events/${at.index}/${field}`,
        code: 'invalid',
        detail: `${placeText(at)}, ${field}: ${message}`,
      }),
    ),
    ...events.flatMap(({ at, error }) =>
      faultsOf(error).map(
        (one): FieldError => ({
          pointer: `/events/${at.index}${one.pointer}`,
          code: one.code,
          detail: `${placeText(at)}: ${one.detail}`,
        }),
      ),
    ),
  ];
  if (errors.length > 0) throw refusal(errors, errors.length);
}

/** A person's correction outlives the next import of the same state of the event. */
const isCorrectedByHand = (action: Action): boolean => !(action.updatedBy ?? '').startsWith('import ');

type Run = {
  readonly names: EventNames;
  readonly options: EventImportOptions;
  readonly format: EventFormat;
  readonly actor: string;
};

const failedAt = (record: EventRecord, error: AppError): ImportedEvent => ({
  at: record.at,
  ref: record.ref,
  result: 'failed',
  id: undefined,
  error,
});

function importedOf(record: EventRecord, outcome: ActionOutcome | undefined): ImportedEvent {
  const { at, ref } = record;
  if (!outcome) throw new Error('an action without an outcome');
  if ('error' in outcome) return failedAt(record, outcome.error);
  return { at, ref, result: outcome.result, id: outcome.id, error: undefined };
}

/** Records of events that happened. */
async function takeEvents(write: LibraryWrite, records: readonly EventRecord[], run: Run): Promise<ImportedEvent[]> {
  const { names, options, format, actor } = run;
  const { mediaId, source } = options;
  const named = records.map((record) => ({ record, ...sourceOf(record, { format, mediaId, source }) }));
  const known = await findActionsBySource(write.tx, write.scope, named);
  const kept: ImportedEvent[] = [];
  const taken = named.filter(({ record, ...key }) => {
    const before = known.get(sourceKey(key));
    const isKept =
      before !== undefined &&
      !before.isDeleted &&
      record.version !== undefined &&
      before.action.sourceVersion === record.version &&
      isCorrectedByHand(before.action);
    if (isKept) {
      kept.push({ at: record.at, ref: record.ref, result: 'unchanged', id: before.action.id, error: undefined });
    }
    return !isKept;
  });
  const inputs = taken.map(({ record, source: name, ref }) => ({
    ...draftOf(record, { names, mediaId }),
    source: name,
    sourceRef: ref,
  }));
  const outcomes = await writeActions(write, inputs, { actor });
  return [...kept, ...taken.map(({ record }, at) => importedOf(record, outcomes[at]))];
}

/** Records that were exported from actions of this video which have no other name than their ID. */
async function takeExported(
  write: LibraryWrite,
  records: readonly { readonly record: EventRecord; readonly action: Action }[],
  { names, options, actor }: Run,
): Promise<ImportedEvent[]> {
  const taken: ImportedEvent[] = [];
  for (const { record, action } of records) {
    const {
      mediaId: _mediaId,
      source: _source,
      sourceRef: _ref,
      sourceVersion: _version,
      ...given
    } = draftOf(record, {
      names,
      mediaId: options.mediaId,
    });
    const { at, ref } = record;
    // What the file does not have was not there when it was written.
    const patch: ActionPatch = {
      ...given,
      label: given.label ?? null,
      outcome: given.outcome ?? null,
      wallclockAt: given.wallclockAt ?? null,
      period: given.period ?? null,
      clockMs: given.clockMs ?? null,
    };
    try {
      const isChanged = await patchAction(write, action, { patch, actor });
      taken.push({ at, ref, result: isChanged ? 'updated' : 'unchanged', id: action.id, error: undefined });
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      taken.push(failedAt(record, error));
    }
  }
  return taken;
}

/** Records that withdraw events. */
async function takeRetractions(
  write: LibraryWrite,
  records: readonly EventRecord[],
  { options, format, actor }: Run,
): Promise<ImportedEvent[]> {
  const { mediaId, source } = options;
  const named = records.map((record) => ({ record, ...sourceOf(record, { format, mediaId, source }) }));
  const known = await findActionsBySource(write.tx, write.scope, named);
  const events: ImportedEvent[] = [];
  const retracted: { readonly record: EventRecord; readonly action: Action }[] = [];
  for (const { record, ...key } of named) {
    const before = known.get(sourceKey(key));
    const { at, ref } = record;
    if (!before || before.isDeleted) events.push({ at, ref, result: 'ignored', id: undefined, error: undefined });
    else if (before.action.status === 'retracted') {
      events.push({ at, ref, result: 'unchanged', id: before.action.id, error: undefined });
    } else retracted.push({ record, action: before.action });
  }
  const outcomes = await writeActions(
    write,
    retracted.map(({ record, action }) => retractionOf(action, record)),
    { actor },
  );
  return [
    ...events,
    ...retracted.map(({ record }, at): ImportedEvent => {
      const event = importedOf(record, outcomes[at]);
      return event.result === 'updated' ? { ...event, result: 'retracted' } : event;
    }),
  ];
}

/** Day and clubs of the match: whose shirt numbers count. */
async function matchFacts(
  write: LibraryWrite,
  video: ActionVideo,
): Promise<{ readonly clubIds: readonly number[]; readonly at: Date }> {
  const [matchId, ...others] = video.matchIds;
  const match = matchId === undefined || others.length > 0 ? undefined : await findTag(write.tx, write.scope, matchId);
  const { homeId = null, awayId = null, kickOff = null } = match?.match ?? {};
  return { clubIds: [homeId, awayId].filter((id) => id !== null), at: kickOff ?? new Date() };
}

async function run(
  write: LibraryWrite,
  {
    parsed,
    format,
    options,
    video,
  }: {
    readonly parsed: ParsedEvents;
    readonly format: EventFormat;
    readonly options: EventImportOptions;
    readonly video: ActionVideo;
  },
): Promise<EventImportReport> {
  // An exported action that is retracted tells all of itself; a feed tells only that an event is withdrawn.
  const isWithdrawn = (record: EventRecord) => record.deleted && record.status !== 'retracted';
  const told = parsed.records.filter((record) => !isWithdrawn(record));
  const facts = await matchFacts(write, video);
  const names = await resolveNames(write, told, { ...facts, create: options.mode === 'lenient' });
  const state: Run = { names, options, format, actor: `import by ${options.actor}` };
  const ids = told.flatMap((record) => exportedIdOf(record) ?? []);
  const present = new Map((await findActions(write.tx, write.scope, ids)).map((action) => [action.id, action]));
  const ownActionOf = (record: EventRecord): Action | undefined => {
    const action = present.get(exportedIdOf(record) ?? 0);
    return action?.mediaId === options.mediaId && action.sourceRef === null ? action : undefined;
  };
  const exported = told.flatMap((record) => {
    const action = ownActionOf(record);
    return action ? [{ record, action }] : [];
  });
  const own = new Set(exported.map(({ record }) => record));
  const events = [
    ...(await takeEvents(
      write,
      told.filter((record) => !own.has(record)),
      state,
    )),
    ...(await takeExported(write, exported, state)),
    ...(await takeRetractions(write, parsed.records.filter(isWithdrawn), state)),
  ].toSorted((a, b) => a.at.index - b.at.index);
  return { format, events, unknown: names.unknown, problems: parsed.problems };
}

/**
 * Makes actions of a file of events. All or, in lenient mode, all that can be taken, in one transaction; answers what became
 * of each event, and the version of the library.
 * @throws AppError `not_found` (no such video), `validation_failed` (no known format, a malformed file, in strict mode any
 *   fault), `payload_too_large`
 */
export async function importEvents(
  db: Database,
  scope: LibraryScope,
  { bytes, ...options }: EventImportOptions & { readonly bytes: Uint8Array },
): Promise<{ readonly report: EventImportReport; readonly version: number | undefined }> {
  const { mediaId } = options;
  const video = (await findActionVideos(db, scope, [mediaId])).get(mediaId);
  if (!video || video.inBin) throw new AppError('not_found', `There is no asset ${mediaId}.`);
  if (video.mediaType !== 'video') {
    throw new AppError('state_conflict', `Asset ${mediaId} is a photo: only videos have actions.`);
  }
  const format = options.format ?? detectEventFormat(bytes);
  if (!format) {
    throw invalidField(
      'format',
      `expected a file of ${EVENT_FORMATS.join(', ')}, received one that looks like none of them`,
    );
  }
  const parsed = parseEvents(bytes, {
    format,
    ...(video.frameRate && { frameRate: video.frameRate }),
    ...(video.startTimecode !== null && { startTimecode: video.startTimecode }),
  });
  if (parsed.records.length > MAX_IMPORTED_EVENTS) {
    const detail = `expected at most ${MAX_IMPORTED_EVENTS} events in one import, received ${parsed.records.length}`;
    throw new AppError('payload_too_large', detail);
  }
  try {
    const { result, version } = await writeLibrary(db, scope, async (write) => {
      const report = await run(write, { parsed, format, options, video });
      if (options.preview) throw new Undone(report);
      if (options.mode === 'strict') refuseFaults(report);
      return report;
    });
    return { report: result, version };
  } catch (error) {
    if (error instanceof Undone) return { report: error.report, version: undefined };
    throw error;
  }
}
