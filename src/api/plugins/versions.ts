import type { FastifyReply, FastifyRequest } from 'fastify';
import { AppError, invalidField } from '../../base/index.ts';

/**
 * The version that `If-Match` asks for: undefined without the header or with `*`.
 * @throws AppError `precondition_failed` for an ETag that none of our objects can have
 */
export function readIfMatch(request: FastifyRequest): number | undefined {
  const given = request.headers['if-match'];
  if (given === undefined || given.trim() === '*') return undefined;
  const found = /^"v(\d{1,15})"$/.exec(given.trim());
  if (!found)
    throw new AppError('precondition_failed', 'expected If-Match to be the ETag of an earlier answer, such as "v3"');
  return Number(found[1]);
}

/** Says on the answer of a write which version of the library it produced: searches that send it back see the write. */
export function setLibraryVersion(reply: FastifyReply, version: number): void {
  reply.header('X-Library-Version', String(version));
}

/**
 * The version of the library that the request must see, from `X-Library-Version`: what the answer of a write said.
 * @throws AppError `validation_failed`
 */
export function readLibraryVersion(request: FastifyRequest): number | undefined {
  const given = [request.headers['x-library-version']].flat().join(',');
  if (given === '') return undefined;
  if (!/^[1-9]\d{0,14}$/.test(given)) {
    const detail = `expected the X-Library-Version of an earlier answer, a positive integer, received ${given.slice(0, 60)}`;
    throw invalidField('X-Library-Version', detail);
  }
  return Number(given);
}

/**
 * What was looked up, if it is there and at the version that `If-Match` asked for.
 * @param expected.what its name in the middle of a sentence, such as `tag option`
 * @throws AppError `not_found`, `precondition_failed`
 */
export function checkFound<Found extends { readonly version: number }>(
  found: Found | undefined,
  expected: { readonly what: string; readonly id: number; readonly ifVersion?: number | undefined },
): Found {
  const { what, id, ifVersion } = expected;
  if (!found) throw new AppError('not_found', `There is no ${what} ${id}.`);
  if (ifVersion !== undefined && ifVersion !== found.version) {
    const name = `${what.slice(0, 1).toUpperCase()}${what.slice(1)}`;
    throw new AppError('precondition_failed', `${name} ${id} is at version ${found.version} by now: read it again.`);
  }
  return found;
}
