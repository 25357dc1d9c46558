import { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { LibraryScope } from '../../auth/index.ts';
import { AppError, invalidField, KIB, messageOf, MIB } from '../../base/index.ts';
import {
  externalKey,
  type SyncedSet,
  type SyncItem,
  type SyncResult,
  type SyncSource,
  type SyncSummary,
  syncTags,
  TAG_TYPES,
  type TagType,
  upsertTags,
  writeLibrary,
} from '../../library/index.ts';
import type { ApiDeps } from '../deps.ts';
import { type NdjsonLine, type NdjsonSpool, spoolNdjson } from '../ndjson.ts';
import { toAppError } from '../plugins/errors.ts';
import { claimIdempotency } from '../plugins/idempotency.ts';
import { principalOf } from '../plugins/principal.ts';
import { createPartValidator } from '../plugins/validation.ts';
import { setLibraryVersion } from '../plugins/versions.ts';
import { readTagInput } from '../present/tags.ts';
import type { Api } from '../server.ts';
import { commonProblems, conflictProblem, fileProblems } from '../wire/common.ts';
import { TagBulk, TagBulkAnswer, TagBulkLine, TagBulkQuery } from '../wire/tag-bulk.ts';
import { TagPatch, type TagPatchBody } from '../wire/tags.ts';

const NDJSON = 'application/x-ndjson';
const MAX_ITEMS = 50_000;
const MAX_LINE_BYTES = 256 * KIB;
/** 50,000 items of 2.6 KB; one with a player's clubs has 300 bytes. */
const MAX_BODY_BYTES = 128 * MIB;

const validateBulk = createPartValidator<TagBulk>(TagBulk);
const validateItem = createPartValidator<TagPatchBody>(TagPatch);

function presentError(error: AppError, pointer: string) {
  const errors = error.errors.map((one) => ({ ...one, pointer: pointer + one.pointer }));
  return { code: error.code, detail: error.message, errors };
}

function readSets(text: string | undefined): readonly SyncedSet[] {
  return (text === undefined ? [] : text.split(',')).map((one) => {
    const at = one.indexOf(':');
    const type = one.slice(0, at);
    if (!(TAG_TYPES as readonly string[]).includes(type)) {
      throw invalidField(
        'deactivate_missing',
        `expected one of ${TAG_TYPES.join(', ')} before the colon, received ${type}`,
      );
    }
    // Checked in the line above.
    return { type: type as TagType, source: one.slice(at + 1) };
  });
}

function parseLine({ text, fault }: NdjsonLine): unknown {
  if (fault) throw fault;
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new AppError('malformed_json', `expected JSON in every line, received: ${messageOf(cause)}`, { cause });
  }
}

function readItem(one: NdjsonLine): SyncItem {
  const { index, line, bytes } = one;
  try {
    return { index, line, bytes, input: readTagInput(validateItem(parseLine(one), '')) };
  } catch (error) {
    if (error instanceof AppError) return { index, line, error };
    throw error;
  }
}

/** The external IDs of a line, whatever else is wrong with it. */
function declaredKeys(line: NdjsonLine): readonly string[] {
  try {
    // Each step is checked: anything may be in a line.
    const { external_ids: ids } = parseLine(line) as { external_ids?: unknown };
    if (typeof ids !== 'object' || ids === null) return [];
    return Object.entries(ids).flatMap(([source, id]) => (typeof id === 'string' ? [externalKey({ source, id })] : []));
  } catch {
    return [];
  }
}

function createSource(spool: NdjsonSpool, declared: ReadonlySet<string>): SyncSource {
  return {
    async *read(wanted) {
      for await (const line of spool.lines()) if (wanted?.has(line.index) ?? true) yield readItem(line);
    },
    has: (key) => declared.has(key),
  };
}

const textOf = (line: object) => `${JSON.stringify(line)}\n`;

function presentResult(result: SyncResult): object {
  if (result.status !== 'failed') return result;
  const { index, line, status, error } = result;
  return { index, line, status, error: presentError(error, '') };
}

function presentSummary({ notDeactivated, ...summary }: SyncSummary): object {
  return { done: true, ...summary, ...(notDeactivated === undefined ? {} : { not_deactivated: notDeactivated }) };
}

/** The answer as text, a piece a batch. An error in the middle is its last line: the status was sent long before. */
async function* answerLines(
  deps: ApiDeps,
  options: {
    readonly scope: LibraryScope;
    readonly source: SyncSource;
    readonly sets: readonly SyncedSet[];
    readonly preview: boolean;
    readonly spool: NdjsonSpool;
    readonly signal: AbortSignal;
    readonly requestId: string;
  },
): AsyncGenerator<string, void, undefined> {
  const { scope, source, sets, preview, spool, signal } = options;
  try {
    const results = syncTags(deps.db, scope, { source, deactivateMissing: sets, preview, signal });
    for (;;) {
      const next = await results.next();
      if (next.done === true) {
        yield textOf(presentSummary(next.value));
        return;
      }
      const text = next.value.map((result) => textOf(presentResult(result))).join('');
      if (text !== '') yield text;
    }
  } catch (error) {
    if (signal.aborted) return;
    deps.logger.error(
      { event: 'tags.sync_failed', requestId: options.requestId, err: error },
      'a sync of tags broke off',
    );
    yield textOf({ done: false, error: presentError(toAppError(error), '') });
  } finally {
    await spool.close();
  }
}

async function syncStream(
  deps: ApiDeps,
  {
    request,
    reply,
    sets,
    preview,
  }: {
    readonly request: FastifyRequest;
    readonly reply: FastifyReply;
    readonly sets: readonly SyncedSet[];
    readonly preview: boolean;
  },
) {
  const declared = new Set<string>();
  // The parser of this content type hands the body on as it is.
  const spool = await spoolNdjson(request.body as Readable, {
    folder: deps.settings.temporaryFolder,
    maxBytes: MAX_BODY_BYTES,
    maxLines: MAX_ITEMS,
    maxLineBytes: MAX_LINE_BYTES,
    onLine: (line) => {
      for (const key of declaredKeys(line)) declared.add(key);
    },
  });
  if (spool.count === 0) {
    await spool.close();
    throw invalidField('', 'expected one tag option in each line, received none');
  }
  const gone = new AbortController();
  reply.raw.once('close', () => gone.abort(new Error('the client has gone')));
  const lines = answerLines(deps, {
    scope: principalOf(request).scope,
    source: createSource(spool, declared),
    sets,
    preview,
    spool,
    signal: gone.signal,
    requestId: request.id,
  });
  return reply.type(NDJSON).send(Readable.from(lines));
}

async function upsertList(deps: ApiDeps, request: FastifyRequest, reply: FastifyReply) {
  const { scope } = principalOf(request);
  const body = validateBulk(request.body, '');
  if (await claimIdempotency(deps.db, { request, reply, fingerprint: JSON.stringify(body) })) return reply;
  const inputs = body.tag_options.map(readTagInput);
  const { result, version } = await writeLibrary(deps.db, scope, (write) => upsertTags(write, inputs));
  setLibraryVersion(reply, version);
  return {
    results: result.map((one) =>
      one.status === 'failed'
        ? { index: one.index, status: one.status, error: presentError(one.error, `/tag_options/${one.index}`) }
        : one,
    ),
  };
}

/** Of its own scope: only this route takes a stream of lines. */
export function registerTagBulk(app: Api, deps: ApiDeps): void {
  void app.register(async (scope) => {
    scope.addContentTypeParser(NDJSON, (_request, body, done) => done(null, body));
    scope.post(
      '/v1/tag/bulk',
      {
        config: {
          scopes: ['tags.write'],
          idempotent: 'manual',
          bodies: { 'application/json': { schema: TagBulk }, [NDJSON]: { schema: TagPatch } },
        },
        schema: {
          tags: ['tags'],
          summary: 'Create or change many tag options by external id',
          description:
            'As JSON up to 1,000 in one transaction; as application/x-ndjson up to 50,000, one in each line (256 KiB at most), ' +
            'answered with one result in each line and a last line with done. Items may refer to each other by external id, ' +
            'in any order. An item that fails changes nothing and leaves the others alone. What is so already is ' +
            'unchanged: nothing is written. A stream needs no Idempotency-Key: sent again it does the rest.',
          querystring: TagBulkQuery,
          response: {
            200: {
              description: 'One result for each item',
              content: { 'application/json': { schema: TagBulkAnswer }, [NDJSON]: { schema: TagBulkLine } },
            },
            ...commonProblems,
            ...conflictProblem,
            413: fileProblems[413],
          },
        },
      },
      async (request, reply) => {
        // Validated by the schema of the query string.
        const query = request.query as { deactivate_missing?: string; preview?: 'true' | 'false' };
        const sets = readSets(query.deactivate_missing);
        const preview = query.preview === 'true';
        if (request.body instanceof Readable) return syncStream(deps, { request, reply, sets, preview });
        if (preview) throw invalidField('preview', `expected a body of ${NDJSON} with it`);
        if (sets.length > 0) throw invalidField('deactivate_missing', `expected a body of ${NDJSON} with it`);
        return upsertList(deps, request, reply);
      },
    );
  });
}
