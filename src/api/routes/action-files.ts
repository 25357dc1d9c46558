import type { Readable } from 'node:stream';
import { AppError, invalidField } from '../../base/index.ts';
import { MAX_EVENT_FILE_BYTES } from '../../formats/index.ts';
import { EXPORT_FORMATS, type EventImportReport, exportEvents, importEvents } from '../../ingest/index.ts';
import type { ApiDeps } from '../deps.ts';
import { principalOf } from '../plugins/principal.ts';
import { setLibraryVersion } from '../plugins/versions.ts';
import type { Api } from '../server.ts';
import { ActionExportQuery, ActionImportAnswer, ActionImportQuery } from '../wire/action-files.ts';
import { commonProblems, conflictProblem, fileProblems, IdParams, notFoundProblem } from '../wire/common.ts';
import { dispositionOf } from './stored-file.ts';

const tags = ['actions'];
/** Of each list of a report: a match has 3,500 events. */
const MAX_LISTED = 1000;

async function readBody(body: unknown): Promise<Buffer> {
  const pieces: Buffer[] = [];
  let bytes = 0;
  // The parser of this route hands every body on as it is; a request without one has none.
  for await (const piece of (body ?? []) as Readable) {
    bytes += piece.length;
    if (bytes > MAX_EVENT_FILE_BYTES) {
      throw new AppError(
        'payload_too_large',
        `expected at most ${MAX_EVENT_FILE_BYTES} bytes of events, received more`,
      );
    }
    pieces.push(piece);
  }
  if (bytes === 0) throw invalidField('', 'expected a file of events as the body, received none');
  return Buffer.concat(pieces);
}

function presentReport(report: EventImportReport, preview: boolean) {
  const { format, events, unknown, problems } = report;
  const count = (result: string) => events.filter((event) => event.result === result).length;
  const placeOf = (at: { readonly index: number; readonly line?: number }) => ({
    index: at.index,
    line: at.line ?? null,
  });
  return {
    format,
    preview,
    counts: {
      events: events.length,
      created: count('created'),
      updated: count('updated'),
      unchanged: count('unchanged'),
      stale: count('stale'),
      retracted: count('retracted'),
      ignored: count('ignored'),
      failed: count('failed'),
    },
    unknown: unknown.map(({ createdId, candidates, ...one }) => ({
      ...one,
      candidates: [...candidates],
      // What a preview makes is gone again.
      created_id: preview ? null : (createdId ?? null),
    })),
    problems: problems.slice(0, MAX_LISTED).map(({ at, field, message }) => ({ ...placeOf(at), field, message })),
    errors: events
      .flatMap(({ at, ref, error }) => (error ? [{ at, ref, error }] : []))
      .slice(0, MAX_LISTED)
      .map(({ at, ref, error }) => ({
        ...placeOf(at),
        ref,
        code: error.code,
        pointer: error.errors[0]?.pointer ?? '',
        detail: error.errors[0]?.detail ?? error.message,
      })),
    actions: events.slice(0, MAX_LISTED).map(({ at, ref, result, id }) => ({
      ...placeOf(at),
      ref,
      result,
      id: preview && result === 'created' ? null : (id ?? null),
    })),
  };
}

/** Actions as files: in from feeds and analysis programs, out to them and to players. */
export function registerActionFiles(app: Api, deps: ApiDeps): void {
  void app.register(async (plugin) => {
    // Of its own scope: only this route takes any file as its body. Typed by the instance it is made from.
    const scope = plugin as Api;
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', (_request, body, done) => done(null, body));
    scope.post(
      '/v1/media/:id/action/import',
      {
        bodyLimit: MAX_EVENT_FILE_BYTES,
        config: { scopes: ['actions.write'] },
        schema: {
          tags,
          summary: 'Import a file of events as actions',
          description:
            'The file is the body: Sportscode XML, Opta F24 XML, StatsBomb events JSON, CSV, JSON Lines, WebVTT or EDL. Events ' +
            'are found again by source and ID: the same file once more changes nothing, a corrected one corrects, and what ' +
            'a feed deletes is retracted. All of it is one transaction.',
          params: IdParams,
          querystring: ActionImportQuery,
          response: {
            200: ActionImportAnswer,
            ...commonProblems,
            ...notFoundProblem,
            ...conflictProblem,
            413: fileProblems[413],
          },
        },
      },
      async (request, reply) => {
        const { scope: library, key } = principalOf(request);
        const { format, mode = 'strict', source } = request.query;
        const preview = request.query.preview === 'true';
        const { report, version } = await importEvents(deps.db, library, {
          bytes: await readBody(request.body),
          mediaId: request.params.id,
          format,
          mode,
          preview,
          source,
          actor: key.name,
        });
        if (version !== undefined) setLibraryVersion(reply, version);
        return presentReport(report, preview);
      },
    );
  });

  app.get(
    '/v1/media/:id/action/export',
    {
      config: { scopes: ['media.read'] },
      schema: {
        tags,
        summary: 'Write the actions of a video into a file',
        description:
          'In order of their start, without retracted ones unless asked for. Every format can be imported again without loss.',
        params: IdParams,
        querystring: ActionExportQuery,
        response: {
          200: { type: 'string', description: 'The file' },
          ...commonProblems,
          ...notFoundProblem,
          ...conflictProblem,
        },
      },
    },
    async (request, reply) => {
      const { format, status } = request.query;
      const { text, name } = await exportEvents(deps.db, principalOf(request).scope, {
        mediaId: request.params.id,
        format,
        statuses: status === undefined ? undefined : [status],
      });
      return reply
        .type(`${EXPORT_FORMATS[format].mediaType}; charset=utf-8`)
        .header('Content-Disposition', dispositionOf(name, 'attachment'))
        .send(text);
    },
  );
}
