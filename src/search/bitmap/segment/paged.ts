/** Elements of a page: large enough that the list of pages stays short, small enough that the last one wastes little. */
const PAGE_BITS = 16;
const PAGE = 1 << PAGE_BITS;
const MASK = PAGE - 1;

type NumberArray = Uint8Array | Uint16Array | Uint32Array | Int32Array | Float64Array;

/** A list of numbers that grows without being copied: while a segment is built, its lists are as large as itself. */
export class Paged<ArrayType extends NumberArray> {
  length = 0;
  readonly #pages: ArrayType[] = [];
  readonly #newPage: (length: number) => ArrayType;

  constructor(newPage: (length: number) => ArrayType) {
    this.#newPage = newPage;
  }

  push(value: number): void {
    const at = this.length & MASK;
    let page = this.#pages[this.length >>> PAGE_BITS];
    if (!page) {
      // The first page grows: most segments are of a few writes.
      page = this.#newPage(this.#pages.length === 0 ? 64 : PAGE);
      this.#pages.push(page);
    } else if (at >= page.length) {
      const grown = this.#newPage(Math.min(PAGE, page.length * 4));
      grown.set(page);
      page = grown;
      this.#pages[this.length >>> PAGE_BITS] = page;
    }
    page[at] = value;
    this.length += 1;
  }

  get(index: number): number {
    return this.#pages[index >>> PAGE_BITS]?.[index & MASK] ?? 0;
  }

  /** Copies all elements to `target` and forgets them. */
  moveTo<Target extends NumberArray>(target: Target): Target {
    let left = this.length;
    for (const [at, page] of this.#pages.entries()) {
      const count = Math.min(left, page.length, PAGE);
      target.set(count === page.length ? page : page.subarray(0, count), at * PAGE);
      left -= count;
    }
    this.#pages.length = 0;
    this.length = 0;
    return target;
  }
}

export const pagedBytes = (): Paged<Uint8Array> => new Paged((length) => new Uint8Array(length));
export const pagedShorts = (): Paged<Uint16Array> => new Paged((length) => new Uint16Array(length));
export const pagedWords = (): Paged<Uint32Array> => new Paged((length) => new Uint32Array(length));
export const pagedNumbers = (): Paged<Float64Array> => new Paged((length) => new Float64Array(length));
