import type { WordRange } from './dictionary.ts';
import type { IntLists } from './int-lists.ts';

/** Sets one bit for everything that the words of a range are posted for; `shift` takes the flag bits off a posting. */
export function markPostings(
  range: WordRange,
  target: { readonly postings: IntLists; readonly marks: Uint16Array; readonly shift: number; readonly bit: number },
): void {
  const { postings, marks, shift } = target;
  const { cells } = postings;
  const mask = 1 << target.bit;
  for (let at = range.from; at < range.to; at += 1) {
    const wordId = range.order[at] ?? 0;
    const start = postings.startOf(wordId);
    const end = start + postings.lengthOf(wordId);
    for (let posting = start; posting < end; posting += 1) {
      const marked = (cells[posting] ?? 0) >>> shift;
      marks[marked] = (marks[marked] ?? 0) | mask;
    }
  }
}
