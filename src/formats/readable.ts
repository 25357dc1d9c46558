/** Fields of actions as people read them in other programs: labels, titles, cells. Made by one rule, so that an edit shows. */
import type { EventClub, EventEntity, EventPlayer, EventTag, ExportedAction } from './event-record.ts';

/** What an entity is called where it has no name. */
export function nameOf(entity: EventEntity): string {
  const [external] = Object.entries(entity.externalIds ?? {});
  return entity.name ?? (external ? external.join(':') : String(entity.id ?? ''));
}

export function clubText(club: EventClub): string {
  return club.side === undefined ? nameOf(club) : `${nameOf(club)} (${club.side})`;
}

export function playerText(player: EventPlayer): string {
  const shirt = player.shirt === undefined ? '' : `#${player.shirt} `;
  return `${shirt}${nameOf(player)}${player.role === undefined ? '' : ` (${player.role})`}`;
}

export function tagText(tag: EventTag): string {
  return tag.group === undefined ? tag.text : `${tag.group}: ${tag.text}`;
}

/** `78'`, `45+2'`; empty without a minute. */
export function minuteText(action: { readonly minute?: number; readonly stoppage?: number }): string {
  if (action.minute === undefined) return '';
  return action.stoppage === undefined ? `${action.minute}'` : `${action.minute}+${action.stoppage}'`;
}

/** One line: minute, type, label or players. */
export function titleOf(action: ExportedAction): string {
  const type = action.type.name ?? action.type.key;
  const what = action.label ?? action.players.map(nameOf).join(', ');
  return [minuteText(action), what === '' ? type : `${type}: ${what}`]
    .filter((part) => part !== '')
    .join(' ')
    .replaceAll(/\s+/g, ' ');
}
