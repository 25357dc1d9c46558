import * as fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type LibraryScope, scopeOf } from '../../src/auth/index.ts';
import { AppError, createLogger } from '../../src/base/index.ts';
import { type Database, openDatabase } from '../../src/db/index.ts';
import {
  createTag,
  editTag,
  findTag,
  findTagSummaries,
  insertOrganization,
  mergeTag,
  readLookupRows,
  removeTag,
  writeLibrary,
} from '../../src/library/index.ts';
import { createFreshness, createTagLookup, type TagLookup } from '../../src/search/index.ts';
import { createPlainTagWords } from '../support/plain-tag-words.ts';
import { createTestDatabase } from '../support/database.ts';

const closers: (() => Promise<void>)[] = [];
const logger = createLogger({ level: 'warn', destination: { write: () => {} } });
let db: Database;
let lookup: TagLookup;
beforeAll(async () => {
  const database = await createTestDatabase();
  closers.push(() => database.drop());
  const opened = openDatabase({
    connection: { connectionString: database.url },
    applicationName: 'tag-follower',
    maxConnections: 4,
    logger,
  });
  db = opened.db;
  closers.push(() => db.destroy());
  const freshness = createFreshness({ db, logger });
  closers.push(() => freshness.close());
  lookup = createTagLookup({ db, logger, freshness });
  closers.push(() => lookup.close());
});
afterAll(async () => {
  for (const close of closers.toReversed()) await close();
});

const WORDS = ['harbour', 'harbor', 'city', 'citizens', 'rovers', 'leão'];
const name = fc.array(fc.constantFrom(...WORDS), { minLength: 1, maxLength: 3 }).map((words) => words.join(' '));
type Step =
  | { readonly kind: 'create' | 'rename'; readonly at: number; readonly name: string }
  | { readonly kind: 'merge'; readonly at: number; readonly into: number }
  | { readonly kind: 'remove' | 'deactivate'; readonly at: number };
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ kind: fc.constantFrom('create', 'rename'), at: fc.nat(20), name }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('merge' as const), at: fc.nat(20), into: fc.nat(20) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constantFrom('remove', 'deactivate'), at: fc.nat(20) }) },
);

/** One write; those that the library refuses (merging twice, removing what others point to) change nothing. */
async function take(scope: LibraryScope, ids: number[], step: Step): Promise<void> {
  const at = ids[step.at % Math.max(1, ids.length)] ?? 0;
  await writeLibrary(db, scope, async (write) => {
    if (step.kind === 'create') {
      ids.push(await createTag(write, { type: 'club', label: step.name }));
      return;
    }
    const present = await findTag(write.tx, scope, at);
    if (!present) return;
    if (step.kind === 'rename') await editTag(write, present, { label: step.name });
    if (step.kind === 'deactivate') await editTag(write, present, { status: 'deactivated' });
    if (step.kind === 'remove') await removeTag(write, present);
    if (step.kind === 'merge') {
      const into = await findTag(write.tx, scope, ids[step.into % ids.length] ?? 0);
      if (into) await mergeTag(write, { from: present, into });
    }
  }).catch((error: unknown) => {
    if (!(error instanceof AppError)) throw error;
  });
}

test('summaries and words in memory are those of the database after any writes, merges of merged options included', async () => {
  let organizations = 0;
  let merged = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 40 }), async (steps) => {
      organizations += 1;
      const slug = `club-${organizations}`;
      const scope = scopeOf((await insertOrganization(db, { slug, name: slug })).id);
      const ids: number[] = [];
      for (const [at, one] of steps.entries()) {
        await take(scope, ids, one);
        // Followed now and then, so that one catch-up has several writes; the first time it is loaded.
        if (at % 3 !== 0 && at < steps.length - 1) continue;
        const expected = await findTagSummaries(db, scope, [...ids, 999_999]);
        expect(await lookup.summaries(scope, [...ids, 999_999])).toEqual(expected);
        merged += [...expected.values()].filter(({ status }) => status === 'merged').length;
        const words = await lookup.tagWords(scope);
        const rows = await readLookupRows(db, scope, { ids });
        const named = rows.filter(({ status }) => status !== 'merged');
        const plain = createPlainTagWords(
          named.map((row) => ({ id: row.id, names: [row.label, row.fullName ?? '', ...row.aliases] })),
        );
        for (const word of ['harbour', 'city', 'ci', 'leao', 'harbxr']) {
          expect(words.withWord(word, { prefix: true })).toEqual(plain.withWord(word, { prefix: true }));
          expect(words.similar(word)).toEqual(plain.similar(word));
        }
        expect(words.withPhrase(['harbour', 'city'])).toEqual(plain.withPhrase(['harbour', 'city']));
      }
    }),
    { numRuns: 40 },
  );
  // Without merged options the histories would not test what the title says.
  expect(merged).toBeGreaterThan(20);
}, 60_000);
