import type { ComparedFace, FaceSuggestion, KnownFace } from '../../library/index.ts';
import { descriptorDistance } from './face-descriptors.ts';

/**
 * Furthest that a player is suggested. The network was trained for 0.6; of 29 pairs of different people on one photograph each
 * the closest were 0.53 apart, while the same face darker, smaller, tilted or blurred stayed below 0.25 in the median.
 */
export const MAX_DISTANCE = 0.5;
/** The next player has to be further away by this; otherwise it may be either. */
const MIN_MARGIN = 0.06;

/** Who the faces of one asset may be: each player once, the closest first; nobody where two are about as close. */
export function matchFaces(faces: readonly ComparedFace[], known: readonly KnownFace[]): FaceSuggestion[] {
  const owners = new Set(faces.map((face) => face.ownerId));
  const found = faces.flatMap((face) => (face.ownerId === null ? closest(face, known) : []));
  const taken = new Set<number>();
  return found
    .toSorted((one, other) => one.distance - other.distance)
    .filter(({ tagOptionId }) => {
      // A player who stands in the picture already is not there twice.
      if (owners.has(tagOptionId) || taken.has(tagOptionId)) return false;
      taken.add(tagOptionId);
      return true;
    });
}

function closest(face: ComparedFace, known: readonly KnownFace[]): FaceSuggestion[] {
  const { descriptor, n } = face;
  if (!descriptor) return [];
  const byPlayer = new Map<number, number>();
  for (const one of known) {
    if (face.rejectedIds.includes(one.tagOptionId)) continue;
    const distance = descriptorDistance(descriptor, one.descriptor);
    byPlayer.set(one.tagOptionId, Math.min(distance, byPlayer.get(one.tagOptionId) ?? Number.POSITIVE_INFINITY));
  }
  const [first, second] = [...byPlayer].toSorted(([, one], [, other]) => one - other);
  if (!first || first[1] > MAX_DISTANCE) return [];
  if (second && second[1] - first[1] < MIN_MARGIN) return [];
  return [{ n, tagOptionId: first[0], distance: first[1] }];
}
