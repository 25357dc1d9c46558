import type { paths } from '../../api/schema.d.ts';

type FeedAnswer = paths['/v1/event']['get']['responses'][200]['content']['application/json'];
export type EventType = FeedAnswer['events'][number]['type'];

/** When each event happens. The order is that of the list to choose from. */
const MEANINGS: Readonly<Record<EventType, string>> = {
  'media.created': 'A photo or video is uploaded',
  'media.ready': 'It is processed: its files and pictures are there',
  'media.failed': 'It cannot be processed',
  'media.updated': 'Its details, faces or usage change',
  'media.tags_changed': 'Its tags change',
  'media.deleted': 'It goes into the bin',
  'media.restored': 'It comes out of the bin',
  'media.purged': 'It is gone for good, with its files',
  'action.created': 'An action in a video is recorded',
  'action.updated': 'An action changes',
  'action.retracted': 'An action is deleted',
  'clip.ready': 'A clip or reel is cut',
  'clip.failed': 'A clip or reel cannot be cut',
  'delivery.queued': 'A file is on its way to a destination',
  'delivery.succeeded': 'It has arrived',
  'delivery.failed': 'It was refused; it is not tried again',
  'delivery.exhausted': 'All tries are used up',
  'destination.created': 'A destination is set up',
  'destination.updated': 'A destination changes',
  'destination.deleted': 'A destination is deleted',
  'destination.verified': 'A destination works',
  'destination.degraded': 'A destination does not work',
  'tag_option.created': 'A player, club, match or tag is created',
  'tag_option.updated': 'It changes',
  'tag_option.merged': 'It is merged into another',
  'tag_option.deleted': 'It is deleted',
  'collection.created': 'A collection is created',
  'collection.updated': 'A collection changes',
  'collection.deleted': 'A collection is deleted',
  'saved_search.created': 'A search is saved',
  'saved_search.updated': 'A saved search changes',
  'saved_search.deleted': 'A saved search is deleted',
  'saved_search.matched': 'An asset begins to match a saved search that notifies',
  'rule.created': 'A rule is made',
  'rule.updated': 'A rule changes',
  'rule.deleted': 'A rule is deleted',
  'rule.matched': 'A rule tells this webhook, whatever else is chosen',
  'rule.paused': 'A rule is paused, because it ran too often',
  'rule.broken': 'A rule can do its work no more',
  'detail_field.created': 'A detail field is defined',
  'detail_field.updated': 'A detail field changes',
  'detail_field.deleted': 'A detail field is deleted',
  'webhook.disabled': 'A webhook gets nothing any more',
  'api_key.created': 'An API key is made',
  'api_key.revoked': 'An API key is revoked',
  'image_key.created': 'A key to sign image URLs is made',
  'image_key.revoked': 'Such a key is revoked',
  'image_preset.created': 'An image preset is defined',
  'image_preset.updated': 'An image preset changes',
  'image_preset.deleted': 'An image preset is deleted',
  'watermark.created': 'A watermark is added',
  'watermark.updated': 'A watermark changes',
  'watermark.deleted': 'A watermark is deleted',
  'image_settings.updated': 'The image settings change',
  'face_settings.updated': 'The face settings change',
};

const FAMILIES: readonly { readonly label: string; readonly kinds: readonly string[] }[] = [
  { label: 'Photos and videos', kinds: ['media'] },
  { label: 'Actions and clips', kinds: ['action', 'clip'] },
  { label: 'Deliveries and destinations', kinds: ['delivery', 'destination'] },
  { label: 'Players, clubs and tags', kinds: ['tag_option'] },
  { label: 'Collections and saved searches', kinds: ['collection', 'saved_search'] },
  { label: 'Rules', kinds: ['rule'] },
  {
    label: 'Administration',
    kinds: [
      'detail_field',
      'webhook',
      'api_key',
      'image_key',
      'image_preset',
      'watermark',
      'image_settings',
      'face_settings',
    ],
  },
];

// The keys of a record of this type are of this type.
export const EVENT_TYPES = Object.keys(MEANINGS) as readonly EventType[];
const kindOf = (type: string): string => type.slice(0, type.indexOf('.'));

export type EventFamily = {
  readonly label: string;
  readonly events: readonly { readonly type: EventType; readonly meaning: string }[];
};

/** All events, by what they are about. */
export const EVENT_FAMILIES: readonly EventFamily[] = FAMILIES.map(({ label, kinds }) => ({
  label,
  events: EVENT_TYPES.filter((type) => kinds.includes(kindOf(type))).map((type) => ({ type, meaning: MEANINGS[type] })),
}));

/** The events that names stand for: `media.ready`, `media.*`, `*`. */
export function eventsOf(names: readonly string[]): ReadonlySet<EventType> {
  const isNamed = (type: EventType) =>
    names.some((name) => name === '*' || name === type || name === `${kindOf(type)}.*`);
  return new Set(EVENT_TYPES.filter(isNamed));
}

/** The shortest names for these events: a whole kind is `media.*`, so that it also has what it will have later. */
export function namesOf(events: ReadonlySet<EventType>): readonly string[] {
  if (events.size === EVENT_TYPES.length) return ['*'];
  const kinds = [...new Set(EVENT_TYPES.map(kindOf))];
  return kinds.flatMap((kind) => {
    const ofKind = EVENT_TYPES.filter((type) => kindOf(type) === kind);
    const chosen = ofKind.filter((type) => events.has(type));
    return chosen.length === ofKind.length ? [`${kind}.*`] : chosen;
  });
}

/** `All events`, or the names. */
export const describeEvents = (names: readonly string[]): string =>
  names.includes('*') ? 'All events' : names.join(', ');
