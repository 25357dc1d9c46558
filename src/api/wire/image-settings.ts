import { type Static, Type } from 'typebox';
import { IMAGE_MODES, WATERMARK_POSITIONS, type ImageMode, type WatermarkPosition } from '../../library/index.ts';
import { Id, Nullable, Time } from './common.ts';

const strict = { additionalProperties: false } as const;

const Mode = Type.Unsafe<ImageMode>({
  type: 'string',
  enum: [...IMAGE_MODES],
  description:
    'open: anyone may ask for any image; presets: anyone for presets (p), with at most dpr, fmt and dl; signed: signed URLs only. ' +
    'URLs that the API answers open in every mode',
});
export const ImageSettingsPatch = Type.Object(
  { mode: Type.Optional(Mode) },
  { ...strict, minProperties: 1, examples: [{ mode: 'presets' }] },
);
export const ImageSettingsAnswer = Type.Object({
  image_settings: Type.Object({ mode: Mode, version: Type.Integer() }),
});

export const ImageKeyBody = Type.Object(
  { name: Type.String({ minLength: 1, maxLength: 200, pattern: '\\S' }) },
  { ...strict, examples: [{ name: 'website' }] },
);
export const ImageKeyOut = Type.Object(
  {
    id: Id,
    kid: Type.String({ description: 'Names the key in URLs' }),
    name: Type.String(),
    created_at: Time,
    revoked_at: Nullable(Time),
  },
  { $id: 'ImageKey' },
);
const imageKeyRef = Type.Unsafe<Static<typeof ImageKeyOut>>({ $ref: 'ImageKey#' });
export const ImageKeyAnswer = Type.Object({ image_key: imageKeyRef });
export const ImageKeyCreated = Type.Object({
  image_key: imageKeyRef,
  secret: Nullable(Type.String({ description: 'Shown here once and never again; its bytes are the key of the HMAC' })),
});
export const ImageKeyList = Type.Object({
  image_keys: Type.Array(imageKeyRef),
  next_cursor: Nullable(Type.String({ description: 'Always null: two live keys, and the last revoked ones' })),
});

const Slug = Type.String({
  pattern: '^[a-z0-9](?:[a-z0-9_-]{0,62}[a-z0-9])?$',
  expected: 'a name of lower-case letters, digits, - and _, at most 64',
  description: 'What stands in the URL',
});
/** Numbers too: `{"w": 600}` is what people write in JSON. */
const ParameterValue = Type.Unsafe<string | number>({ type: ['string', 'number'], maxLength: 400 });
const PatchedValue = Type.Unsafe<string | number | null>({ type: ['string', 'number', 'null'], maxLength: 400 });

export const ImagePresetBody = Type.Object(
  {
    name: Slug,
    parameters: Type.Record(Type.String({ maxLength: 20 }), ParameterValue, {
      minProperties: 1,
      description: 'Image parameters by name, as in a URL (docs/images.md)',
    }),
  },
  { ...strict, examples: [{ name: 'card', parameters: { w: 600, h: 818, f: 'faces', fmt: 'webp' } }] },
);
export const ImagePresetPatch = Type.Object(
  {
    name: Type.Optional(Slug),
    parameters: Type.Optional(
      Type.Record(Type.String({ maxLength: 20 }), PatchedValue, {
        description: 'Merged with those that are there; null removes one',
      }),
    ),
  },
  { ...strict, minProperties: 1, examples: [{ parameters: { q: 70, fmt: null } }] },
);
export const ImagePresetOut = Type.Object(
  {
    id: Id,
    name: Type.String(),
    parameters: Type.Record(Type.String(), Type.String()),
    created_at: Time,
    updated_at: Time,
    version: Type.Integer(),
  },
  { $id: 'ImagePreset' },
);
const imagePresetRef = Type.Unsafe<Static<typeof ImagePresetOut>>({ $ref: 'ImagePreset#' });
export const ImagePresetAnswer = Type.Object({ image_preset: imagePresetRef });
export const ImagePresetList = Type.Object({
  image_presets: Type.Array(imagePresetRef),
  next_cursor: Nullable(Type.String({ description: 'Always null: there are at most 200 presets' })),
});

const Position = Type.Unsafe<WatermarkPosition>({
  type: 'string',
  enum: [...WATERMARK_POSITIONS],
  description: 'Centre, or towards a side or corner by compass. Default se',
});
export const WatermarkMetadata = Type.Object(
  {
    name: Slug,
    position: Type.Optional(Position),
    opacity: Type.Optional(Type.Number({ minimum: 0.01, maximum: 1, description: 'Default 1' })),
    scale: Type.Optional(
      Type.Number({ minimum: 0.01, maximum: 1, description: "Its width as a share of the image's. Default 0.2" }),
    ),
    margin: Type.Optional(
      Type.Number({
        minimum: 0,
        maximum: 0.45,
        description: "Room to the edges as a share of the image's shorter side. Default 0.03",
      }),
    ),
  },
  { ...strict, examples: [{ name: 'club', position: 'se', opacity: 0.8, scale: 0.2, margin: 0.03 }] },
);
export type WatermarkMetadata = Static<typeof WatermarkMetadata>;
/** As the API documents the parts of the form. */
export const WatermarkParts = Type.Object({
  metadata: WatermarkMetadata,
  file: Type.String({ format: 'binary', contentMediaType: 'application/octet-stream' }),
});
export const WatermarkOut = Type.Object(
  {
    id: Id,
    name: Type.String(),
    position: Position,
    opacity: Type.Number(),
    scale: Type.Number(),
    margin: Type.Number(),
    width: Type.Integer(),
    height: Type.Integer(),
    bytes: Type.Integer(),
    mime_type: Type.String(),
    sha256: Type.String(),
    created_at: Time,
    updated_at: Time,
    version: Type.Integer(),
  },
  { $id: 'Watermark' },
);
const watermarkRef = Type.Unsafe<Static<typeof WatermarkOut>>({ $ref: 'Watermark#' });
export const WatermarkAnswer = Type.Object({ watermark: watermarkRef });
export const WatermarkList = Type.Object({
  watermarks: Type.Array(watermarkRef),
  next_cursor: Nullable(Type.String({ description: 'Always null: there are at most 50 watermarks' })),
});
