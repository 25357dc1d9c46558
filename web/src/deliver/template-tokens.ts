/** What a path can be made of (docs/delivery.md), in the words of who picks one. The service is the judge of what is allowed. */
export type TemplateToken = { readonly token: string; readonly label: string };

export const COMMON_TOKENS: readonly TemplateToken[] = [
  { token: '{media.name}', label: 'Name' },
  { token: '{media.ext}', label: 'Extension' },
  { token: '{media.id}', label: 'ID' },
  { token: '{quality}', label: 'Quality' },
  { token: '{captured_at:yyyy/MM/dd}', label: 'Date taken' },
  { token: '{match}', label: 'Match' },
  { token: '{player|default:nobody}', label: 'Player' },
  { token: '{seq:4}', label: 'Number' },
];

export const OTHER_TOKENS: readonly TemplateToken[] = [
  { token: '{competition}', label: 'Competition' },
  { token: '{season}', label: 'Season' },
  { token: '{club}', label: 'Club' },
  { token: '{club.home}', label: 'Home club' },
  { token: '{club.away}', label: 'Away club' },
  { token: '{players:3}', label: 'First three players' },
  { token: '{shirt}', label: 'Shirt number' },
  { token: '{stadium}', label: 'Stadium' },
  { token: '{sponsor}', label: 'Sponsor' },
  { token: '{collection}', label: 'Collection' },
  { token: '{match.date:yyyy-MM-dd}', label: 'Date of the match' },
  { token: '{match.round}', label: 'Round' },
  { token: '{match.id}', label: 'ID of the match' },
  { token: '{captured_at:yyyyMMdd-HHmmss}', label: 'Time taken' },
  { token: '{created_at:yyyy-MM-dd}', label: 'Date uploaded' },
  { token: '{credit}', label: 'Credit' },
  { token: '{tag:mood}', label: 'Free tag of a category' },
  { token: '{action.type}', label: 'Type of the action' },
  { token: '{action.minute}', label: 'Minute of the action' },
  { token: '{action.player}', label: 'Player of the action' },
  { token: '{media.type}', label: 'Photo or video' },
  { token: '{width}', label: 'Width' },
  { token: '{height}', label: 'Height' },
  { token: '{sha256:8}', label: 'Beginning of the hash' },
  { token: '{org}', label: 'Organization' },
  { token: '{delivery.id}', label: 'ID of the delivery' },
];

export const FILTER_TOKENS: readonly TemplateToken[] = [
  { token: '|slug', label: 'For URLs: lower case, ASCII, hyphens' },
  { token: '|ascii', label: 'Without accents' },
  { token: '|lower', label: 'Lower case' },
  { token: '|upper', label: 'Upper case' },
  { token: '|join:_', label: 'All values, joined' },
  { token: '|truncate:40', label: 'Cut to 40 bytes' },
  { token: '|default:other', label: 'When there is none' },
];

/** Puts a text in place of what is selected of another one, and answers where the caret is then. */
export function insertAt(
  text: string,
  piece: string,
  selected: { readonly start: number; readonly end: number },
): { readonly text: string; readonly caret: number } {
  const start = Math.min(selected.start, text.length);
  const end = Math.max(start, Math.min(selected.end, text.length));
  return { text: text.slice(0, start) + piece + text.slice(end), caret: start + piece.length };
}
