/** The sample library as `sample/library.json` has it; references are external ids of its own source. */
export type SampleLibrary = {
  readonly tag_options: readonly SampleTagOption[];
  readonly relations: readonly SampleRelation[];
  readonly collections: readonly { readonly name: string }[];
  readonly actions: readonly SampleAction[];
};
type SampleTagOption = {
  readonly type: string;
  readonly category?: string;
  readonly label: string;
  readonly full_name: string;
  readonly aliases: readonly string[];
  readonly external_ids: Readonly<Record<string, string>>;
};
type Dates = { readonly from?: string; readonly to?: string };
type SampleRelation =
  | (Dates & {
      readonly kind: 'player-club';
      readonly player: string;
      readonly club: string;
      readonly shirt_number: number;
    })
  | (Dates & { readonly kind: 'sponsor-club'; readonly sponsor: string; readonly club: string })
  | (Dates & { readonly kind: 'club-stadium'; readonly club: string; readonly stadium: string })
  | (Dates & {
      readonly kind: 'club-competition-season';
      readonly club: string;
      readonly competition: string;
      readonly season: string;
    })
  | {
      readonly kind: 'match';
      readonly match: string;
      readonly home: string;
      readonly away: string;
      readonly competition: string;
      readonly season: string;
      readonly stadium: string;
      readonly kick_off: string;
      readonly round: string;
      readonly score: { readonly home: number; readonly away: number };
    };
/** What happens in a video; members that are not listed are as the API takes them. */
type SampleAction = {
  readonly file: string;
  readonly source_ref: string;
  readonly match: string;
  readonly clubs: readonly { readonly id: string }[];
  readonly players: readonly { readonly id: string }[];
};

export type BulkItem = {
  readonly type: string;
  readonly category?: string;
  readonly label: string;
  readonly full_name: string;
  readonly aliases: readonly string[];
  readonly external_ids: Readonly<Record<string, string>>;
  readonly relations?: Readonly<Record<string, unknown>>;
};

const FORMAT = 'touchline-sample/1';

export function readSampleLibrary(text: string): SampleLibrary {
  const value: unknown = JSON.parse(text);
  const format: unknown = typeof value === 'object' && value !== null ? Reflect.get(value, 'format') : undefined;
  if (format !== FORMAT) throw new Error(`expected a sample library of format ${FORMAT}, received ${String(format)}`);
  // Our own generator writes the file (scripts/sample/library.ts), and a test loads the one that is shipped.
  return value as SampleLibrary;
}

const dates = ({ from, to }: Dates) => ({ ...(from !== undefined && { from }), ...(to !== undefined && { to }) });

/** The relations of each tag option by its external id, as the API takes them. */
function collectRelations(relations: readonly SampleRelation[], source: string): Map<string, Record<string, unknown>> {
  const found = new Map<string, Record<string, unknown>>();
  const reference = (id: string) => ({ source, id });
  const add = (owner: string, list: string, item: object) => {
    const own = found.get(owner) ?? {};
    const before: unknown = own[list];
    found.set(owner, { ...own, [list]: [...(Array.isArray(before) ? (before as unknown[]) : []), item] });
  };
  for (const one of relations) {
    switch (one.kind) {
      case 'player-club':
        add(one.player, 'clubs', { club: reference(one.club), shirt_number: one.shirt_number, ...dates(one) });
        break;
      case 'sponsor-club':
        add(one.sponsor, 'clubs', { club: reference(one.club), ...dates(one) });
        break;
      case 'club-stadium':
        add(one.club, 'stadiums', { stadium: reference(one.stadium), ...dates(one) });
        break;
      case 'club-competition-season': {
        const [competition, season] = [reference(one.competition), reference(one.season)];
        add(one.club, 'competitions', { competition, season, ...dates(one) });
        break;
      }
      case 'match':
        found.set(one.match, {
          home: reference(one.home),
          away: reference(one.away),
          competition: reference(one.competition),
          season: reference(one.season),
          stadium: reference(one.stadium),
          kick_off: one.kick_off,
          round: one.round,
          home_score: one.score.home,
          away_score: one.score.away,
        });
    }
  }
  return found;
}

/** The tag options with their relations, for `POST /v1/tag/bulk`. */
export function toBulkItems(library: SampleLibrary, source: string): BulkItem[] {
  const relations = collectRelations(library.relations, source);
  return library.tag_options.map(({ type, category, label, full_name, aliases, external_ids }) => {
    const own = relations.get(external_ids[source] ?? '');
    return {
      type,
      ...(category !== undefined && { category }),
      label,
      full_name,
      aliases,
      external_ids,
      ...(own && { relations: own }),
    };
  });
}

/** The actions of the sample by their videos, for `POST /v1/action/bulk`. Those of other videos are left out. */
export function toActionItems(
  library: SampleLibrary,
  source: string,
  mediaIds: ReadonlyMap<string, number>,
): readonly object[] {
  const named = ({ id, ...rest }: { readonly id: string }) => ({ ...rest, id: { source, id } });
  return library.actions.flatMap(({ file, match, clubs, players, ...action }) => {
    const mediaId = mediaIds.get(file);
    if (mediaId === undefined) return [];
    return {
      ...action,
      media_id: mediaId,
      match: { source, id: match },
      clubs: clubs.map(named),
      players: players.map(named),
      source: `import:${source}`,
      source_version: 1,
    };
  });
}
