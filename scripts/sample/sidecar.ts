/** `photos.csv`: what the importer reads beside the photos. */
import type { Photo } from './plan.ts';
import { TERMS } from './vocabulary.ts';
import { CLUBS, COLLECTIONS, COMPETITIONS } from './world.ts';
import type { Term } from './vocabulary.ts';

const COLUMNS = [
  'file',
  'players',
  'clubs',
  'match',
  'competition',
  'stadium',
  'sponsors',
  'tags',
  'collection',
  'rating',
] as const;

/** A label where it says enough, an external id where two terms share a label. */
const termValue = (term: Term): string =>
  TERMS.filter((one) => one.label === term.label).length > 1 ? `sample:${term.id}` : term.label;
const cell = (value: string): string => (/[",\n]/.test(value) ? `"${value.replaceAll('"', '""')}"` : value);

export function sidecarCsv(photos: readonly Photo[]): string {
  const lines = photos
    .filter((photo) => photo.via === 'csv')
    .map((photo, index) => {
      const competition = COMPETITIONS.find((one) => one.id === photo.match?.competition);
      const row: Record<(typeof COLUMNS)[number], string> = {
        file: photo.file,
        // Both notations side by side, because both are allowed.
        players: photo.players.map((one) => (index % 3 === 2 ? `sample:${one.id}` : one.label)).join(';'),
        clubs: photo.clubs.map((key) => CLUBS[key].label).join(';'),
        match: photo.match === undefined ? '' : `sample:${photo.match.id}`,
        competition: competition?.label ?? '',
        stadium: photo.stadium.label,
        sponsors: photo.sponsors.join(';'),
        tags: photo.terms.map(termValue).join(';'),
        collection: photo.collections.map((id) => COLLECTIONS.find((one) => one.id === id)?.name ?? id).join(';'),
        rating: photo.rating === undefined ? '' : String(photo.rating),
      };
      return COLUMNS.map((column) => cell(row[column])).join(',');
    });
  return `${COLUMNS.join(',')}\n${lines.join('\n')}\n`;
}
