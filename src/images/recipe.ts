import { AppError, type FieldError } from '../base/index.ts';
import { AUTO_CHAIN, type FocusChain } from './focus-chain.ts';
import type { Colour } from './colour.ts';
import { DEFAULT_PAD } from './focus-faces.ts';
import type { Moment } from './moment.ts';
import {
  type Fit,
  MAX_SIDE_PX,
  type MetadataPolicy,
  PARAMETERS,
  type ParameterValues,
  type Redaction,
  type RequestedFormat,
} from './parameters/index.ts';
import type { Rect } from './rect.ts';
import { type Turn, turnOf } from './turn.ts';

/** What a URL asks for: frozen, defaults applied, sizes in device pixels (1..8192), quality 1..100. */
export type Recipe = {
  readonly widthPx: number | undefined;
  readonly heightPx: number | undefined;
  readonly fit: Fit;
  /** Of a video; undefined: its poster. */
  readonly moment: Moment | undefined;
  readonly focus: FocusChain;
  /** 0..1: from the largest crop to the one that is tight on what `focus` found. */
  readonly zoom: number;
  /** Room around a zoomed face, in sizes of the face. */
  readonly pad: number;
  /** Which face `face` means, from 1, by prominence. */
  readonly faceNumber: number;
  readonly rect: Rect | undefined;
  /** Whether the answer may be larger than what it shows. */
  readonly enlarge: boolean;
  /** Done before all else: sizes, places and rect are those of the turned picture. */
  readonly turn: Turn;
  /** How far (0..255) a border may be from the corner's colour to be cut off. */
  readonly trim: number | undefined;
  readonly background: Colour | undefined;
  /** Standard deviations in pixels of the answer. */
  readonly blurPx: number | undefined;
  readonly sharpenPx: number | undefined;
  readonly redact: Redaction | undefined;
  /** The name of a preset. */
  readonly watermark: string | undefined;
  readonly format: RequestedFormat;
  /** 1..100; undefined: the format's default. */
  readonly quality: number | undefined;
  readonly maxBytes: number | undefined;
  /** Whether an animation stays one. */
  readonly animated: boolean;
  readonly metadata: MetadataPolicy;
  /** The name to save under, without extension; no part of the picture. */
  readonly downloadName: string | undefined;
};

type Row = (typeof PARAMETERS)[number];

const ROW_BY_NAME: ReadonlyMap<string, Row> = new Map(
  PARAMETERS.flatMap((row) => [row.name, ...row.aliases].map((name) => [name, row] as const)),
);

/** A URL can be long; an error message need not be. */
const quoted = (text: string) => JSON.stringify(text.length > 60 ? `${text.slice(0, 60)}…` : text);

/** Stores a row's value; the cast is sound because `ParameterValues` is derived from the rows' own parse functions. */
function assign(values: ParameterValues, row: Row, value: unknown): void {
  (values as Record<string, unknown>)[row.name] = value;
}

function readParameters(query: Readonly<Record<string, string | readonly string[] | undefined>>): ParameterValues {
  const values: ParameterValues = {};
  const seen = new Map<string, string>();
  const errors: FieldError[] = [];
  const fault = (pointer: string, code: string, detail: string) => errors.push({ pointer, code, detail });

  for (const [name, given] of Object.entries(query)) {
    if (given === undefined) continue;
    const row = ROW_BY_NAME.get(name);
    if (!row) {
      const known = PARAMETERS.map((each) => each.name).join(', ');
      fault(name, 'unknown', `expected one of ${known} as parameter, received ${quoted(name)}`);
      continue;
    }
    const earlier = seen.get(row.name);
    if (earlier !== undefined || typeof given !== 'string') {
      const twice = earlier === undefined || earlier === name ? name : `${earlier} and ${name}`;
      fault(name, 'duplicate', `expected ${row.name} once, received ${twice} more than once`);
      continue;
    }
    seen.set(row.name, name);
    const value = row.parse(given);
    if (value === undefined) fault(name, 'invalid', `expected ${row.expects} for ${name}, received ${quoted(given)}`);
    else assign(values, row, value);
  }
  if (errors.length > 0) {
    throw new AppError('image_parameter_invalid', errors.map((error) => error.detail).join('; '), { errors });
  }
  return values;
}

/** Who names a face by its number and no focus wants that face. */
const FACE_CHAIN: FocusChain = [{ kind: 'face' }, { kind: 'attention' }];

/** Multiplies both sides by dpr, less where a side would pass 8192, so that the aspect stays what was asked for. */
function devicePixels({ w, h, dpr = 1 }: ParameterValues): Pick<Recipe, 'widthPx' | 'heightPx'> {
  const scale = Math.min(dpr, MAX_SIDE_PX / Math.max(w ?? 1, h ?? 1));
  const scaled = (side: number | undefined) => side && Math.max(1, Math.round(side * scale));
  return { widthPx: scaled(w), heightPx: scaled(h) };
}

/**
 * Reads the query of an image URL into a frozen recipe. All faults are reported together, each with the parameter's name
 * as pointer.
 * @throws AppError `image_parameter_invalid` for an unknown, malformed, out-of-range or repeated parameter.
 */
export function parseRecipe(query: Readonly<Record<string, string | readonly string[] | undefined>>): Recipe {
  const values = readParameters(query);
  return Object.freeze({
    ...devicePixels(values),
    fit: values.fit ?? (values.w !== undefined && values.h !== undefined ? 'cover' : 'inside'),
    moment: values.t,
    focus: values.f ?? (values.face === undefined ? AUTO_CHAIN : FACE_CHAIN),
    zoom: values.z ?? 0,
    pad: values.pad ?? DEFAULT_PAD,
    faceNumber: values.face ?? 1,
    rect: values.rect,
    // Without a size there is nothing to be enlarged to.
    enlarge: values.up === '1' && (values.w !== undefined || values.h !== undefined),
    turn: turnOf(values.rot ?? 0, values.flip),
    trim: values.trim,
    background: values.bg,
    blurPx: values.blur,
    sharpenPx: values.sharp,
    redact: values.redact,
    watermark: values.wm,
    format: values.fmt ?? 'auto',
    quality: values.q === 'auto' ? undefined : values.q,
    maxBytes: values.maxbytes,
    animated: values.anim === '1',
    // What an original says can name or show whom redaction hides.
    metadata: values.redact && values.meta === 'all' ? 'copyright' : (values.meta ?? 'copyright'),
    downloadName: values.dl,
  });
}

/**
 * The recipe as sorted, normalised query text. Recipes that mean the same picture have the same text: aliases, order,
 * defaults, dpr and parameters without effect do not show.
 */
export function canonicalRecipe(recipe: Recipe): string {
  return PARAMETERS.flatMap((row) => {
    const text = row.canonical(recipe);
    if (text === undefined) return [];
    // Commas and colons are part of the grammar and need no escape in a query.
    return [`${row.name}=${encodeURIComponent(text).replaceAll('%2C', ',').replaceAll('%3A', ':')}`];
  })
    .sort()
    .join('&');
}
