import { type Static, type TSchema, Type } from 'typebox';

/** `type: [X, "null"]` instead of anyOf: the serialiser of answers handles it without trying alternatives. */
export function Nullable<T extends TSchema>(schema: T) {
  const { type, enum: values } = schema as unknown as { type: string; enum?: readonly unknown[] };
  // An enum that does not name null refuses it, whatever the types say (JSON Schema validation, 6.1.2).
  return Type.Unsafe<Static<T> | null>({ ...schema, type: [type, 'null'], ...(values && { enum: [...values, null] }) });
}

export const Id = Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER });
export const Time = Type.String({ format: 'date-time', description: 'RFC 3339, UTC, with milliseconds' });
export const IdParams = Type.Object({ id: Id });

/** RFC 9457. */
export const Problem = Type.Object(
  {
    type: Type.String(),
    title: Type.String(),
    status: Type.Integer(),
    detail: Type.String(),
    code: Type.String(),
    request_id: Type.String(),
    errors: Type.Array(Type.Object({ pointer: Type.String(), code: Type.String(), detail: Type.String() })),
    required: Type.Optional(Type.Array(Type.String())),
    missing: Type.Optional(Type.Array(Type.String())),
    unknown: Type.Optional(Type.Array(Type.Integer())),
    oldest_after: Type.Optional(Type.Integer()),
  },
  { $id: 'Problem', description: 'application/problem+json (RFC 9457); code is one of docs/errors.md' },
);

const problemRef = (description: string) => ({
  description,
  content: { 'application/problem+json': { schema: { $ref: 'Problem#' } } },
});

/** The refusals every route with a key can answer; a route adds its own. */
export const commonProblems = {
  400: problemRef('A parameter or field is not valid; errors[] names it'),
  401: problemRef('No API key, or not a valid one'),
  403: problemRef('The API key lacks a scope, or may not be used from this address'),
  429: problemRef('Too many requests; see Retry-After'),
  503: problemRef('Temporarily unavailable; see Retry-After'),
};
/** What image URLs answer, which need no key. */
export const imageProblems = {
  400: problemRef('An image parameter is not valid; errors[] names it'),
  403: problemRef('The URL needs a signature, has a wrong one, or the asset is not public'),
  404: problemRef('There is no such image, or its URL was revoked'),
  410: problemRef('The URL has expired'),
  503: problemRef('Too many images at once, or the database does not answer; see Retry-After'),
};
export const notFoundProblem = { 404: problemRef('There is no such object in this organization') };
export const conflictProblem = { 409: problemRef('The present state does not allow this') };
export const expiredProblem = {
  410: problemRef('The events asked for are not kept any more; oldest_after says where to begin'),
};
export const fileProblems = {
  413: problemRef('The file or a part is larger than this installation takes'),
  415: problemRef('The content type or the format of the file is not supported'),
  422: problemRef('The file is empty, damaged or beyond a limit'),
};
export const preconditionProblem = { 412: problemRef('The object has changed since it was read (If-Match)') };
/** What resumable uploads answer besides. */
export const uploadProblems = {
  412: problemRef('Tus-Resumable is missing or names another version'),
  423: problemRef('Another request writes to the upload; see Retry-After'),
  460: problemRef('The bytes are not those of Upload-Checksum'),
  507: problemRef('The disk is full; what was acknowledged is kept'),
};
