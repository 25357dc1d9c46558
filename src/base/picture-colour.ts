/**
 * Whether sharp leaves a picture of these facts (its own `metadata()`) in Display P3: with a profile it works on 16-bit colours
 * there, and forgets to come back to sRGB.
 */
export function isLeftInP3(facts: {
  readonly depth: string;
  readonly hasProfile: boolean;
  readonly space: string;
}): boolean {
  const { depth, hasProfile, space } = facts;
  return depth === 'ushort' && hasProfile && space !== 'grey16' && space !== 'cmyk';
}
