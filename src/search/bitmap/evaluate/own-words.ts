import type { OwnWords } from '../../text/resolved-text.ts';
import { withinEdits } from '../../text/tag-words.ts';
import type { Documents } from '../segment/documents.ts';

/** Documents of one segment, and which of them are there still. */
export type LiveDocuments = {
  readonly documents: Documents;
  /** Undefined when all of them are. */
  readonly isLive: ((document: number) => boolean) | undefined;
};

/** The words that some document has which is there still. */
export function createOwnWords(parts: readonly LiveDocuments[]): OwnWords<boolean, readonly string[]> {
  const hasLive = ({ documents, isLive }: LiveDocuments, word: number): boolean =>
    !isLive || documents.someDocument(documents.words, word, isLive);
  return {
    has: (word, options) =>
      parts.some((one) => {
        const { from, to } = one.documents.wordRange(word, options);
        for (let at = from; at < to; at += 1) if (hasLive(one, at)) return true;
        return false;
      }),
    similar(word) {
      const found = new Set<string>();
      // The same first letter is asked for; half of a surrogate pair begins no word of a dictionary in UTF-8.
      const first = /^[\uD800-\uDFFF]/.test(word) ? '' : word.slice(0, 1);
      for (const one of parts) {
        const { from, to } = one.documents.wordRange(first, { prefix: true });
        for (let at = from; at < to; at += 1) {
          const text = one.documents.wordText(at);
          if (withinEdits(word, text) && hasLive(one, at)) found.add(text);
        }
      }
      return [...found].sort();
    },
  };
}
