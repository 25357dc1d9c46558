import { invalidField } from '../../base/index.ts';
import {
  ACTION_TYPE_CATEGORY,
  findTag,
  readTagCategories,
  readTagUsage,
  renameTagCategory,
  writeLibrary,
} from '../../library/index.ts';
import type { ApiDeps } from '../deps.ts';
import { principalOf } from '../plugins/principal.ts';
import { checkFound, setLibraryVersion } from '../plugins/versions.ts';
import type { Api } from '../server.ts';
import { commonProblems, IdParams, notFoundProblem } from '../wire/common.ts';
import { TagCategoryList, TagCategoryRename, TagCategoryRenamed, TagUsageAnswer } from '../wire/tag-usage.ts';

const tags = ['tags'];

/** What tag options there are, and what each of them is used for. */
export function registerTagUsage(app: Api, deps: ApiDeps): void {
  const { db } = deps;

  app.get(
    '/v1/tag/category',
    {
      config: { scopes: ['media.read'] },
      schema: {
        tags,
        summary: 'Count tag options by type and category',
        description: 'In order of both; those without a category have null. Merged ones are not counted.',
        response: { 200: TagCategoryList, ...commonProblems },
      },
    },
    async (request) => ({ categories: [...(await readTagCategories(db, principalOf(request).scope))] }),
  );

  app.post(
    '/v1/tag/category/rename',
    {
      config: { scopes: ['tags.write'] },
      schema: {
        tags,
        summary: 'Rename a category of tag options',
        description: `All options of the type and category get the other one, which may exist already. ${ACTION_TYPE_CATEGORY} keeps its name.`,
        body: TagCategoryRename,
        response: { 200: TagCategoryRenamed, ...commonProblems },
      },
    },
    async (request, reply) => {
      const { type, from, to } = request.body;
      for (const [member, name] of Object.entries({ from, to })) {
        if (type === 'tag' && name === ACTION_TYPE_CATEGORY) {
          throw invalidField(
            `/${member}`,
            `expected a category of your own, received ${name}, which types of actions have`,
          );
        }
      }
      const { result, version } = await writeLibrary(db, principalOf(request).scope, (write) =>
        renameTagCategory(write, { type, from, to }),
      );
      setLibraryVersion(reply, version);
      return { changed: result };
    },
  );

  app.get(
    '/v1/tag/:id/usage',
    {
      config: { scopes: ['media.read'] },
      schema: {
        tags,
        summary: 'Count what names a tag option',
        description: 'What a merge would move, and what stands in the way of a deletion.',
        params: IdParams,
        response: { 200: TagUsageAnswer, ...commonProblems, ...notFoundProblem },
      },
    },
    async (request) => {
      const { scope } = principalOf(request);
      const { id } = request.params;
      checkFound(await findTag(db, scope, id), { what: 'tag option', id });
      const { tagOptions, ...usage } = await readTagUsage(db, scope, id);
      return { usage: { ...usage, tag_options: tagOptions } };
    },
  );
}
