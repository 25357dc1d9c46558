import { AppError } from '../../base/index.ts';
import { changeAssetTags, findAsset, getAssetForWrite, listSuggestions, writeLibrary } from '../../library/index.ts';
import { enqueueFaceSuggestions } from '../../ingest/index.ts';
import { idOf, readCursorPage } from '../cursor-page.ts';
import type { ApiDeps } from '../deps.ts';
import { principalOf } from '../plugins/principal.ts';
import { readIfMatch, setLibraryVersion } from '../plugins/versions.ts';
import { organizationOf } from '../present/organization.ts';
import type { Api } from '../server.ts';
import { commonProblems, conflictProblem, IdParams, notFoundProblem, preconditionProblem } from '../wire/common.ts';
import { TagChange, TagChangeAnswer } from '../wire/media.ts';
import { SuggestionList, SuggestionListQuery } from '../wire/suggestions.ts';
import { sendMedia } from './media.ts';

/** Tags on one asset: by hand, suggested by machines, and what people say of suggestions. */
export function registerMediaTagRoutes(app: Api, deps: ApiDeps): void {
  const { db } = deps;

  app.post(
    '/v1/media/:id/tag',
    {
      config: { scopes: ['media.write'] },
      schema: {
        tags: ['media'],
        summary: 'Add and remove tags; suggest, accept and reject them',
        description:
          'A match brings its clubs, stadium, competition and season along, marked implied. What is suggested is shown in ' +
          'suggested_tag_options, and no search finds it until it is accepted. What was rejected, or put there by a machine ' +
          'and removed by hand, comes back by hand (add) only: a machine that suggests it again is answered in skipped.',
        params: IdParams,
        body: TagChange,
        response: {
          200: TagChangeAnswer,
          ...commonProblems,
          ...notFoundProblem,
          ...conflictProblem,
          ...preconditionProblem,
        },
      },
    },
    async (request, reply) => {
      const { scope, key } = principalOf(request);
      const { id } = request.params;
      const { body } = request;
      const ifVersion = readIfMatch(request);
      const suggest = body.suggest?.map((one) => ({
        tagOptionId: one.id,
        source: one.source,
        confidence: one.confidence ?? null,
      }));
      const { result, version } = await writeLibrary(db, scope, async (write) => {
        await getAssetForWrite(write, id, { ifVersion, inBin: false });
        const skipped = await changeAssetTags(write, id, { ...body, suggest, actor: key.name });
        for (const tagOptionId of body.accept ?? []) await enqueueFaceSuggestions(deps.jobs, write, { tagOptionId });
        return { skipped, asset: await findAsset(write.tx, scope, id) };
      });
      if (!result.asset) throw new AppError('not_found', `There is no asset ${id}.`);
      setLibraryVersion(reply, version);
      const answer = await sendMedia(deps, { scope, reply, asset: result.asset });
      return { ...answer, skipped: [...result.skipped] };
    },
  );

  app.get(
    '/v1/tag/suggestion',
    {
      config: { scopes: ['media.read'] },
      schema: {
        tags: ['tags'],
        summary: 'List open suggestions, oldest first',
        querystring: SuggestionListQuery,
        response: { 200: SuggestionList, ...commonProblems },
      },
    },
    async (request) => {
      const { scope } = principalOf(request);
      const { signingKey } = await organizationOf(deps, scope);
      const { tag, source, min_confidence: least, limit, cursor } = request.query;
      const purpose = `suggestions:${JSON.stringify([tag, source, least])}`;
      const minConfidence = least === undefined ? undefined : Number(least);
      const { rows, nextCursor } = await readCursorPage(
        signingKey,
        { purpose, limit, cursor },
        {
          load: (afterId = 0, count) =>
            listSuggestions(db, scope, { tagOptionId: tag, source, minConfidence, afterId, limit: count }),
          keyOf: idOf,
        },
      );
      return {
        suggestions: rows.map((one) => ({
          media_id: one.assetId,
          tag_option: one.tagOption,
          source: one.source,
          confidence: one.confidence,
          created_at: one.createdAt.toISOString(),
        })),
        next_cursor: nextCursor,
      };
    },
  );
}
