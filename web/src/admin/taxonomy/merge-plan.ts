import type { TagOption } from '../../api/tags.ts';

/** What a merge does to names, external IDs and relations. */
export type MergePlan = {
  /** Names that the survivor has not yet. */
  readonly aliases: readonly string[];
  /** As `source:id`. */
  readonly moving: readonly string[];
  readonly staying: readonly string[];
  /** Relations that the one that goes has itself. */
  readonly relations: number;
};

/** As the service does it: where both have an external ID of one system, the survivor keeps its own. */
export function planMerge(from: TagOption, into: TagOption): MergePlan {
  const known = new Set([into.label, into.full_name, ...into.aliases]);
  const names = [from.label, from.full_name, ...from.aliases].filter((name) => name !== null);
  const ids = Object.entries(from.external_ids).map(([source, id]) => ({
    text: `${source}:${id}`,
    isTaken: source in into.external_ids,
  }));
  const { clubs = [], stadiums = [], competitions = [], sponsors = [] } = from.relations;
  return {
    aliases: [...new Set(names)].filter((name) => !known.has(name)),
    moving: ids.filter(({ isTaken }) => !isTaken).map(({ text }) => text),
    staying: ids.filter(({ isTaken }) => isTaken).map(({ text }) => text),
    relations: clubs.length + stadiums.length + competitions.length + sponsors.length,
  };
}
