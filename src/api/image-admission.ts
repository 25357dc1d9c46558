/** Which image URLs open: the organization's mode, signatures, and what presets stand for. */
import { canonicalUrl, isImageSignature, isOwnSignature } from '../auth/index.ts';
import { AppError, SECOND_MS } from '../base/index.ts';
import { PARAMETERS } from '../images/index.ts';
import type { ImageMode, ImageRules, Organization } from '../library/index.ts';

export type ImageQuery = Readonly<Record<string, string | readonly string[] | undefined>>;

/** What a preset may be asked with by anyone: they choose neither what the picture shows nor what is done to it. */
const FREE_WITH_PRESET: ReadonlySet<string> = new Set(['p', 'dpr', 'fmt', 'dl']);

const NAMES: ReadonlyMap<string, string> = new Map(
  PARAMETERS.flatMap(({ name, aliases }) => [name, ...aliases].map((one) => [one, name] as const)),
);
/** A parameter by the name that is no alias. */
export const parameterName = (name: string): string => NAMES.get(name) ?? name;

/** Whether the mode lets anyone ask for these parameters without a signature. */
export function opensUnsigned(mode: ImageMode, parameters: Readonly<Record<string, unknown>>): boolean {
  if (mode !== 'presets') return mode === 'open';
  const names = Object.keys(parameters).map(parameterName);
  return names.includes('p') && names.every((name) => FREE_WITH_PRESET.has(name));
}

const notAllowed = (mode: ImageMode) =>
  new AppError(
    'image_not_allowed',
    mode === 'presets'
      ? 'expected p=<preset> with at most dpr, fmt and dl beside it, or a signed URL: this organization answers nothing else'
      : 'expected a signed URL (s): this organization answers no other',
  );

function invalid(name: string, detail: string): AppError {
  return new AppError('image_parameter_invalid', detail, { errors: [{ pointer: name, code: 'invalid', detail }] });
}

function textOf(query: ImageQuery, name: 'exp' | 'kid' | 's'): string | undefined {
  const value = query[name];
  if (typeof value === 'string' || value === undefined) return value;
  throw invalid(name, `expected ${name} once, received it more than once`);
}

export type Admission = {
  /** What the URL asks for, without what only opens it. */
  readonly parameters: ImageQuery;
  /** Whose signature the URL carries. */
  readonly signedBy: 'us' | 'organization' | undefined;
  /** When the URL ceases to open. */
  readonly expires: Date | undefined;
};

/**
 * Judges an image URL by itself. A signature is looked at wherever there is one, so that an organization can try its own
 * before it asks for them.
 * @throws AppError `image_not_allowed`, `signature_invalid`, `url_expired`, `image_parameter_invalid`
 */
export function admitImage(
  url: { readonly path: string; readonly query: ImageQuery },
  context: { readonly organization: Organization; readonly rules: ImageRules; readonly now: Date },
): Admission {
  const { organization, rules, now } = context;
  const { exp: _exp, kid: _kid, s: _s, ...parameters } = url.query;
  const [exp, kid, s] = [textOf(url.query, 'exp'), textOf(url.query, 'kid'), textOf(url.query, 's')];
  if (s === undefined) {
    if (exp !== undefined || kid !== undefined) throw invalid('s', 'expected s with exp or kid, received none');
    if (!opensUnsigned(rules.mode, parameters)) throw notAllowed(rules.mode);
    return { parameters, signedBy: undefined, expires: undefined };
  }
  if (exp !== undefined && !/^\d{1,12}$/.test(exp)) {
    throw invalid('exp', 'expected seconds since 1970 for exp, received something else');
  }
  // A parameter that comes twice is refused as such further on.
  const query = Object.fromEntries(Object.entries(url.query).map(([name, value]) => [name, String(value)]));
  const signed = { path: url.path, query };
  const secret = kid === undefined ? undefined : rules.secrets.get(kid);
  if (kid !== undefined && !secret) {
    throw new AppError(
      'signature_invalid',
      'expected the kid of a live image key of this organization, received another',
    );
  }
  const genuine = secret ? isImageSignature(secret, signed) : isOwnSignature(organization.signingKey, signed);
  if (!genuine) {
    const over =
      kid === undefined ? 'the URL as the API answered it' : `the signature of ${canonicalUrl(url.path, query)}`;
    throw new AppError('signature_invalid', `expected ${over}, received another s`);
  }
  const expires = exp === undefined ? undefined : new Date(Number(exp) * SECOND_MS);
  if (expires && expires <= now) {
    throw new AppError('url_expired', `This URL was good until ${expires.toISOString()}.`);
  }
  return { parameters, signedBy: kid === undefined ? 'us' : 'organization', expires };
}

/**
 * The parameters with those of the preset that `p` names; those that are given win.
 * @throws AppError `image_parameter_invalid` when there is no such preset
 */
export function expandPreset(parameters: ImageQuery, presets: ImageRules['presets']): ImageQuery {
  const { p: name, ...given } = parameters;
  if (name === undefined) return given;
  const preset = typeof name === 'string' ? presets.get(name) : undefined;
  if (!preset) throw invalid('p', `expected the name of an image preset for p, received ${JSON.stringify(name)}`);
  const overridden = new Set(Object.keys(given).map(parameterName));
  const others = Object.entries(preset).filter(([parameter]) => !overridden.has(parameter));
  return { ...Object.fromEntries(others), ...given };
}
