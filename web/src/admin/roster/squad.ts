import type { TagOption } from '../../api/tags.ts';

/** A player of a club at a time; `place` is the relation's place among the clubs of the player. */
export type Member = {
  readonly player: TagOption;
  readonly place: number;
  readonly shirtNumber: number | null;
  readonly position: string | null;
  readonly from: string | null;
  readonly to: string | null;
};

type ClubRelation = NonNullable<TagOption['relations']['clubs']>[number];

/** Who plays for the club on the day, by shirt number; those without one last, by name. */
export function squadOf(
  players: readonly TagOption[],
  { club, at }: { readonly club: number; readonly at: string },
): readonly Member[] {
  return players
    .flatMap((player) =>
      (player.relations.clubs ?? []).flatMap((one, place): readonly Member[] =>
        one.club === club && (one.from === null || one.from <= at) && (one.to === null || one.to >= at)
          ? [{ player, place, shirtNumber: one.shirt_number, position: one.position, from: one.from, to: one.to }]
          : [],
      ),
    )
    .toSorted(
      (a, b) =>
        (a.shirtNumber ?? Number.POSITIVE_INFINITY) - (b.shirtNumber ?? Number.POSITIVE_INFINITY) ||
        a.player.label.localeCompare(b.player.label),
    );
}

/** The clubs of a player with one of them changed, added (no place) or taken away (null). */
export function clubsWith(
  player: TagOption,
  place: number | undefined,
  relation: ClubRelation | null,
): readonly ClubRelation[] {
  const clubs = player.relations.clubs ?? [];
  if (place === undefined) return relation === null ? clubs : [...clubs, relation];
  return clubs.flatMap((one, at) => (at === place ? (relation === null ? [] : [relation]) : [one]));
}
