import { AppError, invalidField } from '../../base/index.ts';
import { parseRecipe } from '../../images/index.ts';
import type { ImageRules } from '../../library/index.ts';
import { findSpans, markedHtml, type TextClause } from '../../search/index.ts';
import type { Publisher } from '../image-access.ts';
import { expandPreset } from '../image-admission.ts';
import type { MediaUrls } from '../media-urls.ts';
import type { SearchDocument } from '../search-documents.ts';
import type { MediaOut } from '../wire/media.ts';
import type { Highlights, ImageRequest, MediaHit, MediaSearchBody } from '../wire/search.ts';

export type NamedImage = { readonly name: string; readonly parameters: Readonly<Record<string, string>> };

/**
 * The images a search asks for, as parameters of URLs.
 * @throws AppError `validation_failed` for a name that is there twice, and for what the image grammar refuses
 */
export function readImageRequests(
  requests: readonly ImageRequest[],
  presets: ImageRules['presets'],
): readonly NamedImage[] {
  const seen = new Set<string>();
  return requests.map(({ name, ...given }, at) => {
    const pointer = `/images/${at}`;
    if (seen.has(name)) throw invalidField(`${pointer}/name`, `expected each name once, received ${name} again`);
    seen.add(name);
    const parameters = Object.fromEntries(Object.entries(given).map(([key, value]) => [key, String(value)]));
    try {
      parseRecipe(expandPreset(parameters, presets));
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      const errors = error.errors.map((one) => ({ ...one, pointer: `${pointer}/${one.pointer}` }));
      throw new AppError('validation_failed', errors.map((one) => `${one.pointer}: ${one.detail}`).join('; '), {
        errors,
      });
    }
    return { name, parameters };
  });
}

const EXCERPT_LETTERS = 200;

function textsIn(value: unknown): readonly string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : [];
}

/** Where the clauses are in an asset; undefined when they are in none of its texts (but in an alias of a tag option). */
function highlightsOf(asset: MediaOut, clauses: readonly TextClause[]): Highlights | undefined {
  const fields = Object.entries(asset.details).map(([field, value]) => ({ field, texts: textsIn(value) }));
  const texts = [asset.name, ...asset.tag_options.map(({ label }) => label), ...fields.flatMap((field) => field.texts)];
  const spans = findSpans(texts, clauses);
  const marked = texts.map((text, at) => markedHtml(text, spans[at] ?? [], EXCERPT_LETTERS));
  const [name] = marked;
  const tags = asset.tag_options.flatMap(({ id }, at) => {
    const label = marked[1 + at];
    return label === undefined ? [] : [{ id, label }];
  });
  let next = 1 + asset.tag_options.length;
  const details = fields.flatMap(({ field, texts: { length } }) => {
    const found = marked.slice(next, (next += length)).filter((text) => text !== undefined);
    return found.length === 0 ? [] : [[field, found.join(', ')] as const];
  });
  if (name === undefined && tags.length === 0 && details.length === 0) return undefined;
  return {
    ...(name !== undefined && { name }),
    ...(details.length > 0 && { details: Object.fromEntries(details) }),
    ...(tags.length > 0 && { tag_options: tags }),
  };
}

export type HitOptions = {
  readonly include: MediaSearchBody['include'];
  readonly images: readonly NamedImage[];
  /** Empty when nothing is to be highlighted. */
  readonly clauses: readonly TextClause[];
};

const objectOrNull = (value: unknown) => (typeof value === 'object' && value !== null ? value : null);

/** The optional members of a hit, from the asset as it is answered elsewhere. */
function withOptions(media: MediaOut, options: Pick<HitOptions, 'include' | 'clauses'>): MediaHit {
  const { details, images, ...rest } = media;
  const include = new Set(options.include ?? ['details']);
  const highlights = options.clauses.length === 0 ? undefined : highlightsOf(media, options.clauses);
  return {
    ...rest,
    ...(include.has('details') && { details }),
    ...(include.has('exif') && {
      exif: {
        camera: objectOrNull(Reflect.get(details, 'camera')),
        gps: objectOrNull(Reflect.get(details, 'gps')),
        captured_offset_minutes: media.captured_offset_minutes,
      },
    }),
    ...(highlights && { highlights }),
    images,
  };
}

/** An asset as a search answers it, in JSON with a comma in front. */
export function hitJson(
  document: SearchDocument,
  context: { readonly organization: Publisher; readonly urls: MediaUrls },
  options: HitOptions,
): Buffer {
  const asIs = options.include === undefined && options.clauses.length === 0;
  const json = asIs
    ? document.json
    : // Our own presenter wrote it.
      Buffer.from(
        `,${JSON.stringify(withOptions(JSON.parse(document.json.toString('utf8', 1)) as MediaOut, options))}`,
      );
  if (options.images.length === 0 || !document.hasImages) return json;
  const urls = context.urls.of(context.organization, document.asset);
  const named = options.images.map(({ name, parameters }) => [name, urls.image(parameters)]);
  // `images` is the last member of the text, and never empty: `...,"story":"..."}}`.
  return Buffer.concat([
    json.subarray(0, json.length - 2),
    Buffer.from(`,${JSON.stringify(Object.fromEntries(named)).slice(1)}}`),
  ]);
}
