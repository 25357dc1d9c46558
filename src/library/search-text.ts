import { wordsOf } from '../base/index.ts';

/** Classes of fields, the most telling first; the letters are PostgreSQL's weights. */
type Weight = 'A' | 'B' | 'C';

/** The fields of `details` that tell most about a picture; every other one is of class C. */
const WEIGHTS: Readonly<Record<string, Weight>> = {
  title: 'A',
  headline: 'A',
  caption: 'B',
  description: 'B',
  alt_text: 'B',
  keywords: 'B',
  persons: 'B',
  event: 'B',
  location: 'B',
  city: 'B',
};

/** With a gap behind each the last place is below 4,000; PostgreSQL takes places up to 16,383. */
const MAX_WORDS = 2000;
/** PostgreSQL takes 256 places of one word; more would change nothing in a score. */
const MAX_PLACES_PER_WORD = 255;

type Field = { readonly weight: Weight; readonly text: string };

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}

/** Members of an object by name: jsonb keeps another order than the request had, and the words must be the same. */
const membersOf = (value: Readonly<Record<string, unknown>>): readonly unknown[] =>
  Object.keys(value)
    .toSorted()
    .map((key) => value[key]);

/** All texts in a value, in its order. A list of its own instead of recursion: details may be nested as deep as JSON. */
function* textsIn(value: unknown): Generator<string> {
  const left: unknown[] = [value];
  while (left.length > 0) {
    const next = left.pop();
    if (typeof next === 'string') yield next;
    else if (Array.isArray(next)) left.push(...next.toReversed());
    else if (isObject(next)) left.push(...membersOf(next).toReversed());
  }
}

/** The name first, then details by class: where an asset has too many words, the least telling are left out. */
function* fieldsOf(name: string, details: Readonly<Record<string, unknown>>): Generator<Field> {
  yield { weight: 'A', text: name };
  const keys = Object.keys(details).toSorted();
  for (const weight of ['A', 'B', 'C'] as const) {
    for (const key of keys) {
      const own = Object.hasOwn(WEIGHTS, key) ? WEIGHTS[key] : 'C';
      if (own === weight) for (const text of textsIn(details[key])) yield { weight, text };
    }
  }
}

/**
 * The words of an asset's own texts, at most 2,000, as PostgreSQL's text form of a tsvector (`'goal':1A,7B 'late':6B`) and
 * as a list without repetition. Places count from 1; one is left free between texts, so that no phrase reaches across.
 */
export function searchVector(
  name: string,
  details: Readonly<Record<string, unknown>>,
): { readonly vector: string; readonly words: readonly string[] } {
  const placesByWord = new Map<string, string[]>();
  let count = 0;
  let place = 0;
  for (const { weight, text } of fieldsOf(name, details)) {
    const words = wordsOf(text).slice(0, MAX_WORDS - count);
    if (words.length > 0 && place > 0) place += 1;
    for (const word of words) {
      place += 1;
      const places = placesByWord.get(word);
      if (places === undefined) placesByWord.set(word, [`${place}${weight}`]);
      else if (places.length < MAX_PLACES_PER_WORD) places.push(`${place}${weight}`);
    }
    count += words.length;
    if (count === MAX_WORDS) break;
  }
  // Words are letters and digits only, so nothing in them needs an escape.
  const vector = [...placesByWord].map(([word, places]) => `'${word}':${places.join(',')}`).join(' ');
  return { vector, words: [...placesByWord.keys()] };
}
