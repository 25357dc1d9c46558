import { Type } from 'typebox';
import { enqueueFaceSuggestions } from '../../ingest/index.ts';
import { editFaceSettings, suggestsFaces, writeLibrary } from '../../library/index.ts';
import type { ApiDeps } from '../deps.ts';
import { principalOf } from '../plugins/principal.ts';
import { setLibraryVersion } from '../plugins/versions.ts';
import type { Api } from '../server.ts';
import { commonProblems } from '../wire/common.ts';

const tags = ['media'];

const Suggestions = Type.Boolean({
  description: 'Describe faces by numbers, compare them with those that are linked to players, and suggest players',
});
const FaceSettingsAnswer = Type.Object({ face_settings: Type.Object({ suggestions: Suggestions }) });

/** Whether the organization lets faces be compared. */
export function registerFaceSettingsRoutes(app: Api, deps: ApiDeps): void {
  const { db, jobs } = deps;

  app.get(
    '/v1/face-settings',
    {
      config: { scopes: ['media.read'] },
      schema: { tags, summary: 'Read the face settings', response: { 200: FaceSettingsAnswer, ...commonProblems } },
    },
    async (request) => ({ face_settings: { suggestions: await suggestsFaces(db, principalOf(request).scope) } }),
  );

  app.patch(
    '/v1/face-settings',
    {
      config: { scopes: ['admin'] },
      schema: {
        tags,
        summary: 'Change the face settings (JSON Merge Patch)',
        description:
          'suggestions: off by default. On: faces of photos and posters are described in the background, those of the whole ' +
          'library too. Off: all descriptors and open suggestions are deleted at once.',
        body: Type.Object({ suggestions: Type.Optional(Suggestions) }, { additionalProperties: false }),
        response: { 200: FaceSettingsAnswer, ...commonProblems },
      },
    },
    async (request, reply) => {
      const { scope } = principalOf(request);
      const { suggestions } = request.body;
      const { result, version } = await writeLibrary(db, scope, async (write) => {
        const wanted = suggestions ?? (await suggestsFaces(write.tx, scope));
        const isChanged = await editFaceSettings(write, wanted);
        if (isChanged) await enqueueFaceSuggestions(jobs, write, {});
        return wanted;
      });
      setLibraryVersion(reply, version);
      return { face_settings: { suggestions: result } };
    },
  );
}
