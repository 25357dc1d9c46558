import { looksInside, MATCH_CLASS } from './match-class.ts';
import type { LookupQuery } from './query.ts';
import type { TagLookupHit } from './types.ts';

type MatchedOn = TagLookupHit['matchedOn'];

/**
 * Which field gave a hit its class: the first of label, full name and aliases that reaches the class alone, or, when the
 * words are spread over several names, the first that holds the first word.
 */
export function matchedOn(
  names: readonly string[],
  match: { readonly query: LookupQuery; readonly matchClass: number },
): MatchedOn {
  const { query, matchClass } = match;
  switch (matchClass) {
    case MATCH_CLASS.exactName:
      return names[0] === query.text ? 'label' : 'full_name';
    case MATCH_CLASS.exactAlias:
      return 'alias';
    case MATCH_CLASS.exactId:
      return 'id';
    case MATCH_CLASS.shirt:
      return 'shirt';
    case MATCH_CLASS.namePrefix:
      return fieldOf(names.findIndex((name) => name.startsWith(query.text)));
    case MATCH_CLASS.wordPrefix:
    case MATCH_CLASS.infix: {
      const whole = names.findIndex((name) => query.words.every((word) => holds(name, word, matchClass)));
      if (whole >= 0) return fieldOf(whole);
      return fieldOf(names.findIndex((name) => holds(name, query.words[0] ?? '', matchClass)));
    }
    default:
      return 'typo';
  }
}

function holds(name: string, word: string, matchClass: number): boolean {
  if (matchClass === MATCH_CLASS.infix && looksInside(word)) return name.includes(word);
  return name.startsWith(word) || name.includes(` ${word}`);
}

function fieldOf(nameIndex: number): MatchedOn {
  if (nameIndex <= 0) return 'label';
  return nameIndex === 1 ? 'full_name' : 'alias';
}
