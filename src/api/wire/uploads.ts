import { type Static, Type } from 'typebox';
import { Id, Nullable, Time } from './common.ts';

export const UploadOut = Type.Object(
  {
    id: Id,
    state: Type.String({
      enum: ['uploading', 'completed', 'failed'],
      description: 'completed: media_id is its asset, which is processed on',
    }),
    name: Type.String(),
    offset: Type.Integer({ description: 'Bytes that are safely here' }),
    length: Type.Integer({ description: 'Bytes of the whole file' }),
    created_at: Time,
    expires_at: Type.String({
      format: 'date-time',
      description: 'Without progress until then it is forgotten: 24 hours while it is uploading, 7 days afterwards',
    }),
    media_id: Nullable(Id),
    duplicate: Nullable(Type.Boolean({ description: 'The organization had these bytes already' })),
    failure: Nullable(
      Type.Object({ code: Type.String({ description: 'One of docs/errors.md' }), reason: Type.String() }),
    ),
  },
  { $id: 'Upload' },
);
export type UploadOut = Static<typeof UploadOut>;

export const UploadStateAnswer = Type.Object({ upload: Type.Unsafe<UploadOut>({ $ref: 'Upload#' }) });

const tusResumable = { 'Tus-Resumable': { type: 'string', description: 'Version of tus: 1.0.0' } };
const bytes = (description: string) => ({ type: 'integer', description });

/** Request headers of tus; the routes read them themselves. */
export const tusHeaders = {
  every: tusResumable,
  creation: {
    ...tusResumable,
    'Upload-Length': bytes('Bytes of the whole file'),
    'Upload-Metadata': {
      type: 'string',
      description:
        'Pairs of a key and a value in Base64, with commas between: filename, and the fields of an upload (name, external_id, ' +
        'captured_at, rating, usage, usage_at, tag_options, collections, details), or all fields as JSON under metadata. ' +
        'tag_options and collections are IDs with commas between, details is JSON; filetype is ignored',
    },
  },
  part: {
    ...tusResumable,
    'Upload-Offset': bytes('Where the bytes go: where the upload stands'),
    'Upload-Checksum': {
      type: 'string',
      description:
        'sha1, sha256, sha512 or md5 of the body, a space, and the checksum in Base64. The body counts whole or not at all',
    },
  },
  override: {
    'X-HTTP-Method-Override': { type: 'string', description: 'PATCH, HEAD or DELETE' },
  },
} as const;

const expires = { 'Upload-Expires': { type: 'string', description: 'When it is forgotten unless bytes come' } };
const media = {
  'Touchline-Media-Id': { type: 'integer', description: 'The asset, once the last byte is here' },
  'Touchline-Duplicate': { type: 'boolean', description: 'The organization had these bytes already' },
};

/** Answers without a body, with their headers. */
const bare = (description: string, headers: object) => ({ type: 'null', description, headers }) as const;

export const tusAnswers = {
  options: bare('What this service can do', {
    'Tus-Version': { type: 'string' },
    'Tus-Extension': { type: 'string' },
    'Tus-Max-Size': bytes('Bytes of the largest file'),
    'Tus-Checksum-Algorithm': { type: 'string' },
  }),
  state: bare('Where it stands', {
    'Upload-Offset': bytes('Where to go on'),
    'Upload-Length': bytes('Bytes of the whole file'),
    'Upload-Metadata': { type: 'string', description: 'As it was created' },
    ...expires,
    ...media,
  }),
  part: bare('The bytes are safely here', {
    'Upload-Offset': bytes('Where to go on'),
    ...expires,
    ...media,
    Location: { type: 'string', description: 'The asset, once the last byte is here' },
  }),
  removed: bare('Forgotten, with its bytes', {}),
} as const;
