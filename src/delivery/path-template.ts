/**
 * Where files go: `{competition|slug}/{captured_at:yyyy/MM/dd}/{media.name}.{media.ext}`. A token is a name, an argument behind a
 * colon, and filters behind bars. Each token is a part of one segment, but for the slashes of a date format.
 */
import { invalidField } from '../base/index.ts';
import type { NameRules } from './name-rules.ts';
import { FILTERS } from './path-filters.ts';
import { type PathValues, TOKENS } from './path-tokens.ts';
import { cutText, literalFault, safePart, safeSegment } from './safe-name.ts';

type AppliedFilter = { readonly name: string; readonly argument: string };
type Piece =
  | { readonly kind: 'text'; readonly text: string }
  | {
      readonly kind: 'token';
      readonly name: string;
      readonly argument: string;
      readonly filters: readonly AppliedFilter[];
    };

export type PathTemplate = {
  /** A path that the kind of target takes, whatever the values are. */
  resolve(values: PathValues, rules: NameRules): string;
};

/** Stands for what has no value and no default. */
const FALLBACK = 'unknown';
export const MAX_TEMPLATE_LENGTH = 1000;

type Fault = { readonly column: number; readonly expected: string };
class TemplateFault extends Error {
  readonly fault: Fault;
  constructor(fault: Fault) {
    super(fault.expected);
    this.fault = fault;
  }
}
const refuse = (column: number, expected: string): never => {
  throw new TemplateFault({ column, expected });
};

function parseToken(body: string, column: number): Piece {
  const [head = '', ...rest] = body.split('|');
  const colon = head.indexOf(':');
  const name = (colon < 0 ? head : head.slice(0, colon)).trim();
  const argument = colon < 0 ? '' : head.slice(colon + 1);
  const token = Object.hasOwn(TOKENS, name) ? TOKENS[name] : undefined;
  if (!token) return refuse(column, `a token, one of ${Object.keys(TOKENS).join(', ')}`);
  if (colon >= 0 && !token.argument) return refuse(column, `${name} without an argument`);
  if (token.argument && (colon >= 0 || token.argument.required) && !token.argument.isGood(argument)) {
    return refuse(column, `${token.argument.expected} behind ${name}:`);
  }
  let at = column + head.length + 1;
  const filters = rest.map((one): AppliedFilter => {
    const place = at;
    at += one.length + 1;
    const split = one.indexOf(':');
    const filterName = (split < 0 ? one : one.slice(0, split)).trim();
    const filter = Object.hasOwn(FILTERS, filterName) ? FILTERS[filterName] : undefined;
    if (!filter) return refuse(place, `a filter, one of ${Object.keys(FILTERS).join(', ')}`);
    const given = split < 0 ? '' : one.slice(split + 1);
    if (split >= 0 && !filter.argument) return refuse(place, `${filterName} without an argument`);
    if (filter.argument && (split < 0 || !filter.argument.isGood(given))) {
      return refuse(place, `${filter.argument.expected} behind ${filterName}:`);
    }
    return { name: filterName, argument: given };
  });
  return { kind: 'token', name, argument, filters };
}

function parsePieces(template: string): readonly Piece[] {
  const pieces: Piece[] = [];
  let at = 0;
  while (at < template.length) {
    const open = template.indexOf('{', at);
    const end = open < 0 ? template.length : open;
    if (end > at) {
      const text = template.slice(at, end);
      const stray = text.indexOf('}');
      if (stray >= 0) refuse(at + stray + 1, 'a { before this }');
      pieces.push({ kind: 'text', text });
    }
    if (open < 0) break;
    const close = template.indexOf('}', open);
    const inner = template.indexOf('{', open + 1);
    if (close < 0 || (inner >= 0 && inner < close)) refuse(open + 1, 'a } behind this {');
    pieces.push(parseToken(template.slice(open + 1, close), open + 2));
    at = close + 1;
  }
  return pieces;
}

/** What somebody wrote between tokens must be fit for the target as it is: nothing of it is changed silently. */
function checkText(template: string, pieces: readonly Piece[], rules: NameRules): void {
  let column = 1;
  if (template.trim() === '') refuse(1, 'a path');
  if (template.startsWith('/')) refuse(1, 'a path that does not begin with a slash');
  if (template.endsWith('/')) refuse(template.length, 'a name behind the last slash');
  for (const piece of pieces) {
    if (piece.kind === 'text') {
      const fault = literalFault(piece.text.replaceAll('/', ''), rules);
      if (fault !== undefined) refuse(column, fault);
      column += piece.text.length;
    } else column = template.indexOf('}', column) + 2;
  }
  // The slashes of date formats stand inside braces; they are replaced before the segments are looked at.
  const bare = template.replaceAll(/\{[^}]*\}/g, (token) => '\u0001'.repeat(token.length));
  let start = 1;
  for (const segment of bare.split('/')) {
    if (segment.trim() === '') refuse(start, 'a name between two slashes');
    if (/^[.\s]/.test(segment)) refuse(start, 'a name that begins neither with a dot nor with a space');
    if (rules.style === 'windows' && /[. ]$/.test(segment)) {
      refuse(start + segment.length - 1, 'a name that ends neither with a dot nor with a space');
    }
    start += segment.length + 1;
  }
}

/** A literal slash parts segments; values never hold one, but for dates. */
function textOf(piece: Piece, values: PathValues, rules: NameRules): readonly string[] {
  if (piece.kind === 'text') return piece.text.split('/');
  const token = TOKENS[piece.name];
  let texts: readonly string[] = token?.values(values, piece.argument).filter((text) => text.trim() !== '') ?? [];
  const isDate = token?.argument !== undefined && piece.argument.includes('/') && texts.length === 1;
  if (isDate) return (texts[0] ?? '').split('/').map((text) => safePart(text, rules));
  for (const { name, argument } of piece.filters) texts = FILTERS[name]?.apply(texts, argument) ?? texts;
  texts = texts.slice(0, token?.take?.(piece.argument) ?? 1);
  const joined = safePart(texts.join('_'), rules).trim();
  return [joined === '' ? FALLBACK : joined];
}

/** Reads a template for a kind of target. @throws AppError `validation_failed` with the column of the fault at `pointer` */
export function parsePathTemplate(
  template: string,
  options: { readonly rules: NameRules; readonly pointer: string },
): PathTemplate {
  try {
    if (template.length > MAX_TEMPLATE_LENGTH) {
      refuse(MAX_TEMPLATE_LENGTH + 1, `at most ${MAX_TEMPLATE_LENGTH} characters`);
    }
    const pieces = parsePieces(template);
    checkText(template, pieces, options.rules);
    return { resolve: (values, rules) => resolve(pieces, values, rules) };
  } catch (error) {
    if (!(error instanceof TemplateFault)) throw error;
    const { column, expected } = error.fault;
    const received = template.slice(column - 1, column + 19);
    throw invalidField(
      options.pointer,
      `column ${column}: expected ${expected}, received ${received === '' ? 'the end' : JSON.stringify(received)}`,
    );
  }
}

function resolve(pieces: readonly Piece[], values: PathValues, rules: NameRules): string {
  const segments: string[] = [''];
  for (const piece of pieces) {
    const [first = '', ...more] = textOf(piece, values, rules);
    segments.push(`${segments.pop() ?? ''}${first}`, ...more);
  }
  const safe = segments.map((segment) => safeSegment(segment, rules, FALLBACK));
  return fitPath(safe, rules);
}

/** A path that is too long loses the ends of its longest segments; the name keeps its extension. */
function fitPath(segments: readonly string[], rules: NameRules): string {
  const lengthOf = (text: string) => (rules.path.unit === 'bytes' ? Buffer.byteLength(text) : text.length);
  // Room for the suffix of a collision and a sidecar's ending.
  const limit = rules.path.limit - 16;
  let fitted = segments;
  let room = rules.segmentBytes;
  while (lengthOf(fitted.join('/')) > limit && room > 16) {
    room = Math.floor(room * 0.8);
    fitted = segments.map((segment) => {
      const extension = /\.[\p{L}\p{N}]{1,10}$/u.exec(segment)?.[0] ?? '';
      const cut = Math.max(1, room - Buffer.byteLength(extension));
      if (Buffer.byteLength(segment) <= room) return segment;
      return safeSegment(
        cutText(segment.slice(0, segment.length - extension.length), cut) + extension,
        rules,
        FALLBACK,
      );
    });
  }
  return fitted.join('/');
}

/** The same path with a number before its extension, for a name that is taken. */
export function withSuffix(path: string, n: number): string {
  const at = path.lastIndexOf('/') + 1;
  const name = path.slice(at);
  const dot = name.lastIndexOf('.');
  const stem = dot > 0 ? name.slice(0, dot) : name;
  return `${path.slice(0, at)}${stem}-${n}${dot > 0 ? name.slice(dot) : ''}`;
}
