const DIGITS = 1 << 16;
/** Of a number's 64 bits, and of an ID's 53. */
const KEY_WORDS = 2;
const ID_WORDS = 2;

/**
 * The places of the first `count` keys in ascending order, equal ones by ascending ID: a radix sort, from the least digit of 16 bits to
 * the greatest (Knuth, The Art of Computer Programming 3, 5.2.5), which leaves out digits that all have in common. A comparing sort of
 * 1,000,000 takes seconds.
 *
 * @param keys any numbers but NaN
 */
export function radixOrder(keys: Float64Array, count: number, idAt: (place: number) => number): Uint32Array {
  const words = Array.from({ length: ID_WORDS + KEY_WORDS }, () => new Uint32Array(count));
  const [idLow, idHigh, keyLow, keyHigh] = words as [Uint32Array, Uint32Array, Uint32Array, Uint32Array];
  const number = new Float64Array(1);
  const bits = new Uint32Array(number.buffer);
  // The order of the two halves is the machine's.
  number[0] = 1;
  const high = bits[1] === 0 ? 0 : 1;
  for (let at = 0; at < count; at += 1) {
    const id = idAt(at);
    idLow[at] = id;
    idHigh[at] = id / 2 ** 32;
    // Not -0, which would come before 0.
    number[0] = (keys[at] ?? 0) + 0;
    const top = bits[high] ?? 0;
    const flipped = top >>> 31 === 0 ? 0 : 0xffff_ffff;
    keyLow[at] = (bits[1 - high] ?? 0) ^ flipped;
    keyHigh[at] = top ^ (flipped | 0x8000_0000);
  }
  let order = Uint32Array.from({ length: count }, (_, at) => at);
  let other = new Uint32Array(count);
  const starts = new Uint32Array(DIGITS);
  for (const word of words) {
    for (const shift of [0, 16]) {
      starts.fill(0);
      for (let at = 0; at < count; at += 1) {
        const digit = ((word[at] ?? 0) >>> shift) & 0xffff;
        starts[digit] = (starts[digit] ?? 0) + 1;
      }
      if (count > 0 && starts[((word[0] ?? 0) >>> shift) & 0xffff] === count) continue;
      let before = 0;
      for (let digit = 0; digit < DIGITS; digit += 1) {
        const here = starts[digit] ?? 0;
        starts[digit] = before;
        before += here;
      }
      for (let at = 0; at < count; at += 1) {
        const place = order[at] ?? 0;
        const digit = ((word[place] ?? 0) >>> shift) & 0xffff;
        const to = starts[digit] ?? 0;
        starts[digit] = to + 1;
        other[to] = place;
      }
      [order, other] = [other, order];
    }
  }
  return order;
}
