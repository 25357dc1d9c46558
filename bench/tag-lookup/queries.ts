import type { TagLookupRecord, TagLookupRequest } from '../../src/search/tag-lookup/index.ts';
import { pick, type Random } from './generator.ts';

const plain = (text: string): string => text.normalize('NFD').replace(/\p{M}/gu, '');

function withTypo(random: Random, word: string): string {
  const at = 1 + Math.floor(random() * (word.length - 2));
  const swapped = word.slice(0, at) + word.charAt(at + 1) + word.charAt(at) + word.slice(at + 2);
  const missing = word.slice(0, at) + word.slice(at + 1);
  const added = `${word.slice(0, at)}${pick(random, ['e', 'n', 'x'])}${word.slice(at)}`;
  return pick(random, [swapped, missing, added]);
}

/** The requests of one class over a library: what people type into a tag field. */
export function generateRequests(
  queryClass: string,
  options: {
    readonly library: readonly TagLookupRecord[];
    readonly random: Random;
    readonly count: number;
    readonly pageSize: number;
  },
): readonly TagLookupRequest[] {
  const { library, random, count, pageSize } = options;
  const any = (): TagLookupRecord => pick(random, library);
  const longWord = (): string => {
    for (;;) {
      const word = pick(random, plain(any().label).split(' '));
      if (word.length >= 6) return word;
    }
  };
  const typed = (): readonly string[] => {
    const { label } = any();
    return Array.from({ length: Math.min(label.length, 14) }, (_, end) => label.slice(0, end + 1));
  };
  const withShirt = library.filter(({ shirts }) => shirts.length > 0);
  const shirt = (): string => {
    const { number, clubNames } = pick(random, withShirt).shirts[0] ?? { number: 10, clubNames: ['Harbour City'] };
    const name = pick(random, clubNames);
    return pick(random, [
      `${number} ${name}`,
      `${name} ${number}`,
      `#${number} ${name.split(' ')[0] ?? ''}`,
      `#${number}`,
    ]);
  };
  const unordered = (): string => {
    const parts = any().label.split(' ');
    return parts
      .toReversed()
      .map((part) => part.slice(0, 2 + Math.floor(random() * 4)))
      .join(' ');
  };
  const makers: Readonly<Record<string, () => string | undefined>> = {
    exact: () => any().label,
    one_letter: () => longWord().charAt(0),
    two_letters: () => longWord().slice(0, 2),
    infix: () => longWord().slice(1 + Math.floor(random() * 2), 5),
    accents: () => plain(any().fullName ?? any().label).toLowerCase(),
    multi_word: unordered,
    shirt,
    typo: () => withTypo(random, longWord()),
    typo_prefix: () => {
      const word = longWord();
      return withTypo(random, word.slice(0, Math.max(5, word.length - 2)));
    },
    no_match: () => `${pick(random, ['zzq', 'qqx', 'xxw'])}${longWord()}qz ${longWord()}`,
    list: () => undefined,
    deep_page: () => pick(random, ['a', 'ma', 'fc', 'an']),
  };
  if (queryClass === 'as_typed') {
    const requests: TagLookupRequest[] = [];
    while (requests.length < count) for (const query of typed()) requests.push({ query, offset: 0, limit: pageSize });
    return requests.slice(0, count);
  }
  const make = makers[queryClass];
  if (!make) throw new Error(`expected a known query class, received ${queryClass}`);
  return Array.from({ length: count }, () => {
    const query = make();
    const offset = queryClass === 'deep_page' ? 2000 : 0;
    return query === undefined ? { offset, limit: pageSize } : { query, offset, limit: pageSize };
  });
}
