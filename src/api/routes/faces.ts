import { Type } from 'typebox';
import { enqueueFaceSuggestions } from '../../ingest/index.ts';
import { findAsset, getAssetForWrite, linkFace, writeLibrary } from '../../library/index.ts';
import type { ApiDeps } from '../deps.ts';
import { principalOf } from '../plugins/principal.ts';
import { checkFound, readIfMatch, setLibraryVersion } from '../plugins/versions.ts';
import type { Api } from '../server.ts';
import { commonProblems, conflictProblem, Id, notFoundProblem, preconditionProblem } from '../wire/common.ts';
import { FaceLink, MediaAnswer } from '../wire/media.ts';
import { sendMedia } from './media.ts';

const FaceParams = Type.Object({
  id: Id,
  n: Type.Integer({ minimum: 0, maximum: 10_000, description: 'Place in faces, from 0' }),
});

export function registerFaceRoutes(app: Api, deps: ApiDeps): void {
  app.patch(
    '/v1/media/:id/face/:n',
    {
      config: { scopes: ['media.write'] },
      schema: {
        tags: ['media'],
        summary: 'Say whose face it is',
        description:
          'Links a face to a player, or to nobody (null). The player is put on the asset as a tag; taking a link away leaves the tag. Image URLs change.',
        params: FaceParams,
        body: FaceLink,
        response: {
          200: MediaAnswer,
          ...commonProblems,
          ...notFoundProblem,
          ...conflictProblem,
          ...preconditionProblem,
        },
      },
    },
    async (request, reply) => {
      const { scope } = principalOf(request);
      const { id, n } = request.params;
      const ifVersion = readIfMatch(request);
      const { result, version } = await writeLibrary(deps.db, scope, async (open) => {
        const asset = await getAssetForWrite(open, id, { ifVersion, inBin: false });
        const { tag_option_id: tagOptionId } = request.body;
        await linkFace(open, asset, { n, tagOptionId });
        await enqueueFaceSuggestions(deps.jobs, open, tagOptionId === null ? { mediaId: id } : { tagOptionId });
        return findAsset(open.tx, scope, id);
      });
      setLibraryVersion(reply, version);
      return sendMedia(deps, { scope, reply, asset: checkFound(result, { what: 'asset', id }) });
    },
  );
}
