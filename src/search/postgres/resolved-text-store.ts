import type { LibraryScope } from '../../auth/index.ts';
import { loadResolvedText, type ResolvedClause } from '../text/resolved-text.ts';
import type { TagWords } from '../text/tag-words.ts';
import type { TextQuery } from '../text/text-query.ts';
import { ACTIONS, ASSETS, type Documents } from './document-store.ts';
import { createOwnWords } from './own-words-store.ts';
import type { RunStatement } from './snapshot-store.ts';
import type { ResolvedTexts } from './text-store.ts';

/** What the texts of a search stand for: those asked of assets among their words, those of actions among theirs. */
export async function resolveTexts(
  run: RunStatement,
  scope: LibraryScope,
  asked: {
    readonly ofAssets: readonly TextQuery[];
    readonly ofActions: readonly TextQuery[];
    readonly tagWords: TagWords;
  },
): Promise<ResolvedTexts> {
  const texts = new Map<TextQuery, readonly ResolvedClause[]>();
  const resolve = async (queries: readonly TextQuery[], documents: Documents): Promise<void> => {
    const own = createOwnWords(run, scope, documents);
    for (const query of new Set(queries)) texts.set(query, await loadResolvedText(query, asked.tagWords, own));
  };
  await resolve(asked.ofAssets, ASSETS);
  await resolve(asked.ofActions, ACTIONS);
  return texts;
}
