type Typed = Float64Array | Uint32Array | Uint8Array;

/** A typed array of at least `length` items with the same content; grows by half, so that appending costs little. */
export function grown<T extends Typed>(array: T, length: number): T {
  if (array.length >= length) return array;
  const size = Math.max(length, Math.ceil(array.length * 1.5), 1024);
  // Every typed array is made by its own constructor from a length; the union hides that from the compiler.
  const larger = new (array.constructor as new (size: number) => T)(size);
  larger.set(array);
  return larger;
}
