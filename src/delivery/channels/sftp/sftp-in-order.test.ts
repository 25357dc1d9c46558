import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { hashInOrder } from './sftp-in-order.ts';

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

test('parts that come in any order are hashed in that in which they were begun', () => {
  const inOrder = hashInOrder();
  const [first, second, third] = [inOrder.part(), inOrder.part(), inOrder.part()];
  third.sink(Buffer.from('gh'));
  second.sink(Buffer.from('d'));
  third.end();
  first.sink(Buffer.from('ab'));
  second.sink(Buffer.from('ef'));
  second.end();
  first.sink(Buffer.from('c'));
  first.end();
  expect(inOrder.result()).toEqual({ sha256: sha256('abcdefgh'), bytes: 8 });
});

test('a part that waits is not changed by what comes after it in the same memory', () => {
  const inOrder = hashInOrder();
  const [first, second] = [inOrder.part(), inOrder.part()];
  const memory = Buffer.from('yy');
  second.sink(memory);
  memory.write('xx');
  first.sink(memory);
  first.end();
  second.end();
  expect(inOrder.result()).toEqual({ sha256: sha256('xxyy'), bytes: 4 });
});

test('parts without bytes leave the others where they are', () => {
  const inOrder = hashInOrder();
  const parts = [inOrder.part(), inOrder.part(), inOrder.part()];
  parts[2]?.sink(Buffer.from('c'));
  for (const part of parts) part.end();
  expect(inOrder.result()).toEqual({ sha256: sha256('c'), bytes: 1 });
});
