/** What a path is made of: everything that a template may ask about one file, as texts. */
export type PathValues = {
  readonly org: string;
  readonly media: {
    readonly id: number;
    /** Without its extension. */
    readonly name: string;
    /** Of the file that is delivered, without a dot. */
    readonly ext: string;
    readonly type: string;
  };
  readonly quality: string;
  readonly width: number | null;
  readonly height: number | null;
  readonly sha256: string;
  readonly capturedAt: Date | null;
  /** The camera's clock, minutes east of UTC; dates are written by it. */
  readonly offsetMinutes: number;
  readonly createdAt: Date;
  readonly collections: readonly string[];
  readonly competitions: readonly string[];
  readonly seasons: readonly string[];
  readonly match: {
    readonly id: number;
    readonly label: string;
    readonly kickOff: Date | null;
    readonly round: string | null;
    readonly home: string | null;
    readonly away: string | null;
  } | null;
  readonly clubs: readonly string[];
  readonly players: readonly string[];
  readonly stadiums: readonly string[];
  readonly sponsors: readonly string[];
  /** Of free tag options, by lower-case category. */
  readonly tags: ReadonlyMap<string, readonly string[]>;
  readonly credit: string | null;
  readonly shirt: number | null;
  readonly action: {
    readonly type: string;
    readonly minute: number | null;
    readonly players: readonly string[];
  } | null;
  /** From 1, in the order of the request. */
  readonly seq: number;
  readonly deliveryId: number;
};

export type Token = {
  /** What may stand behind the colon; undefined: nothing. */
  readonly argument?: { readonly expected: string; readonly required: boolean; isGood(text: string): boolean };
  /** Several are joined, or only the first is taken. An argument that is left out is ''. */
  values(values: PathValues, argument: string): readonly string[];
  /** How many are joined when no filter says so. */
  take?(argument: string): number;
};

const text = (value: string | number | null | undefined): readonly string[] =>
  value === null || value === undefined || value === '' ? [] : [String(value)];
const one = (read: (values: PathValues) => string | number | null | undefined): Token => ({
  values: (values) => text(read(values)),
});
const many = (read: (values: PathValues) => readonly string[]): Token => ({ values: read });

const wholeNumber = (expected: string, maximum: number, required: boolean) => ({
  expected: `${expected} from 1 to ${maximum}`,
  required,
  isGood: (given: string) => /^\d{1,3}$/.test(given) && Number(given) >= 1 && Number(given) <= maximum,
});

const DATE_PARTS = /yyyy|yy|MM|dd|HH|mm|ss/g;
const dateFormat = {
  expected: 'a date format of yyyy, yy, MM, dd, HH, mm, ss and - _ . / between them',
  required: false,
  isGood: (given: string) =>
    given !== '' && /^[-_./ ]*$/.test(given.replaceAll(DATE_PARTS, '')) && !given.split('/').includes(''),
};

/** By the clock of the camera, so that an evening match has one date. */
function formatDate(at: Date, offsetMinutes: number, format: string): string {
  const [, yyyy = '', MM = '', dd = '', HH = '', mm = '', ss = ''] =
    /^(\d+)-(\d+)-(\d+)T(\d+):(\d+):(\d+)/.exec(new Date(at.getTime() + offsetMinutes * 60_000).toISOString()) ?? [];
  const parts: Readonly<Record<string, string>> = { yyyy, yy: yyyy.slice(2), MM, dd, HH, mm, ss };
  return format.replaceAll(DATE_PARTS, (part) => parts[part] ?? part);
}

const date = (read: (values: PathValues) => Date | null | undefined, ownOffset: boolean): Token => ({
  argument: dateFormat,
  values: (values, format) => {
    const at = read(values);
    return at ? [formatDate(at, ownOffset ? values.offsetMinutes : 0, format === '' ? 'yyyy-MM-dd' : format)] : [];
  },
});

/** Every token by its name. */
export const TOKENS: Readonly<Record<string, Token>> = {
  org: one((values) => values.org),
  'media.id': one((values) => values.media.id),
  'media.name': one((values) => values.media.name),
  'media.ext': one((values) => values.media.ext),
  'media.type': one((values) => values.media.type),
  quality: one((values) => values.quality),
  width: one((values) => values.width),
  height: one((values) => values.height),
  sha256: {
    argument: wholeNumber('a number of characters', 64, false),
    values: (values, length) => [values.sha256.slice(0, length === '' ? 64 : Number(length))],
  },
  captured_at: date((values) => values.capturedAt, true),
  created_at: date((values) => values.createdAt, false),
  collection: many((values) => values.collections),
  competition: many((values) => values.competitions),
  season: many((values) => values.seasons),
  match: one((values) => values.match?.label),
  'match.id': one((values) => values.match?.id),
  'match.date': date((values) => values.match?.kickOff, false),
  'match.round': one((values) => values.match?.round),
  club: many((values) => values.clubs),
  'club.home': one((values) => values.match?.home),
  'club.away': one((values) => values.match?.away),
  player: many((values) => values.players),
  players: {
    argument: wholeNumber('a number of players', 50, true),
    values: (values, count) => values.players.slice(0, Number(count)),
    take: Number,
  },
  stadium: many((values) => values.stadiums),
  sponsor: many((values) => values.sponsors),
  credit: one((values) => values.credit),
  shirt: one((values) => values.shirt),
  'action.type': one((values) => values.action?.type),
  'action.minute': one((values) => values.action?.minute),
  'action.player': many((values) => values.action?.players ?? []),
  seq: {
    argument: wholeNumber('a number of digits', 10, false),
    values: (values, digits) => [String(values.seq).padStart(Number(digits === '' ? 1 : digits), '0')],
  },
  'delivery.id': one((values) => values.deliveryId),
  tag: {
    argument: { expected: 'a category of tag options', required: true, isGood: (given) => given.trim() !== '' },
    values: (values, category) => values.tags.get(category.trim().toLowerCase()) ?? [],
  },
};
