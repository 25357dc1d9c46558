import type { EventFacts, EventTag, EventType } from './event-record.ts';
import { minuteText, nameOf } from './readable.ts';
import { xmlReadable } from './xml.ts';

/** The group of the label that holds an action whole, as JSON, for the way back. */
export const OWN_GROUP = 'Touchline';

/** The code of an instance: what the type is called. */
export function codeText(type: EventType): string {
  return xmlReadable(type.name?.trim() || type.key);
}

/** Labels of an action as people read them; the way back tells by them which labels were added. */
export function readableLabels(action: EventFacts): readonly EventTag[] {
  const labels: (EventTag | undefined)[] = [
    action.label === undefined ? undefined : { group: 'Label', text: action.label },
    ...action.players.map((player) => ({
      group: player.role === undefined ? 'Player' : `Player ${player.role}`,
      text: player.shirt === undefined ? nameOf(player) : `${player.shirt} ${nameOf(player)}`,
    })),
    ...action.clubs.map((club) => ({
      group: club.side === undefined ? 'Team' : `Team ${club.side}`,
      text: nameOf(club),
    })),
    action.match && { group: 'Match', text: nameOf(action.match) },
    action.period === undefined ? undefined : { group: 'Period', text: String(action.period) },
    action.minute === undefined ? undefined : { group: 'Minute', text: minuteText(action) },
    action.outcome === undefined ? undefined : { group: 'Outcome', text: action.outcome },
    ...action.tags,
  ];
  return labels
    .filter((label) => label !== undefined && label.text.trim() !== '')
    .map((label) => label ?? { text: '' });
}

/** What a label is known by after it went through a file. */
export function labelKey(label: EventTag): string {
  const clean = (text: string) => xmlReadable(text).trim();
  return `${clean(label.group ?? '')}\u0000${clean(label.text)}`;
}
