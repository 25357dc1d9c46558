import { expect, test } from 'vitest';
import { createDocumentEntries } from './document-entries.ts';

const document = (id: number, goodUntilMs = Number.POSITIVE_INFINITY) => ({ id, bytes: 700, goodUntilMs });
const present = (entries: ReturnType<typeof createDocumentEntries>, ids: readonly number[]) =>
  ids.filter((id) => entries.find(id, 0) !== undefined);

test('the documents that nobody asked for are let go first', () => {
  const entries = createDocumentEntries(3000);
  for (const id of [1, 2, 3]) entries.keep(document(id));
  expect(entries.find(1, 0)).toEqual(document(1));
  entries.keep(document(4));
  expect(present(entries, [1, 3, 4])).toEqual([1, 3, 4]);
  expect(entries.find(2, 0)).toBeUndefined();
  expect(entries.bytes).toBe(3000);
});

test('when all were asked for, room is made all the same', () => {
  const entries = createDocumentEntries(3000);
  for (const id of [1, 2, 3]) entries.keep(document(id));
  expect(present(entries, [1, 2, 3])).toEqual([1, 2, 3]);
  entries.keep(document(4));
  expect(entries.size).toBe(3);
  expect(entries.bytes).toBe(3000);
});

test('a document larger than everything is not kept, and nothing is counted for it', () => {
  const entries = createDocumentEntries(900);
  entries.keep(document(1));
  expect(entries.size).toBe(0);
  expect(entries.bytes).toBe(0);
});

test('a document is not found from the moment it has to be made anew', () => {
  const entries = createDocumentEntries(3000);
  entries.keep(document(1, 1000));
  expect(entries.find(1, 999)).toBeDefined();
  expect(entries.find(1, 1000)).toBeUndefined();
});

test('one that is kept again or dropped is counted once', () => {
  const entries = createDocumentEntries(3000);
  entries.keep(document(1));
  entries.keep(document(1));
  expect(entries.bytes).toBe(1000);
  entries.drop(1);
  entries.drop(1);
  expect(entries.bytes).toBe(0);
  expect(entries.find(1, 0)).toBeUndefined();
});
