import { SLOT_WORDS } from '../kernels/kernels.ts';
import { LIST_MAX } from '../segment/packed-sets.ts';
import { type ChunkValue, type Level, setBits, setList, setNone, type Workspace } from './chunk-value.ts';

/** Ranges of a chunk's documents by the lower 16 bits of their ends: from `ends[2n]` up to before `ends[2n + 1]`, ascending. */
export class Ranges {
  ends = new Uint32Array(256);
  count = 0;
  /** Documents in all of them. */
  size = 0;

  clear(): void {
    this.count = 0;
    this.size = 0;
  }

  /** Adds a range that begins no earlier than the last one ends. */
  add(from: number, to: number): void {
    if (from >= to) return;
    this.size += to - from;
    if (this.count > 0 && this.ends[2 * this.count - 1] === from) {
      this.ends[2 * this.count - 1] = to;
      return;
    }
    if (2 * this.count === this.ends.length) {
      const grown = new Uint32Array(this.ends.length * 2);
      grown.set(this.ends);
      this.ends = grown;
    }
    this.ends[2 * this.count] = from;
    this.ends[2 * this.count + 1] = to;
    this.count += 1;
  }

  /** Makes `value`, which belongs to `level`, the documents of the ranges. */
  finish(work: Workspace, level: Level, { value, documents }: { value: ChunkValue; documents: number }): void {
    const { ends, count, size } = this;
    if (size === 0) setNone(value);
    else if (size === documents) value.kind = 'all';
    else if (size <= LIST_MAX) {
      const [list] = level.lists;
      let at = 0;
      for (let range = 0; range < count; range += 1) {
        const to = ends[2 * range + 1] ?? 0;
        for (let low = ends[2 * range] ?? 0; low < to; low += 1) {
          list[at] = low;
          at += 1;
        }
      }
      setList(value, list, { from: 0, to: size });
    } else {
      const { kernels } = work;
      kernels.clear(level.slot);
      for (let range = 0; range < count; range += 1) {
        kernels.fillRange(level.slot, ends[2 * range] ?? 0, ends[2 * range + 1] ?? 0);
      }
      setBits(value, kernels.words, level.slot * SLOT_WORDS);
    }
  }
}
