import type { Destination, DestinationBody, DestinationPatch } from '../../api/destinations.ts';
import type { Quality } from '../content.ts';
import { type DestinationKind, isKnownKind, type KindField, KINDS } from './destination-kinds.ts';

/** What the form holds: texts as they are typed, by the names of the fields. */
export type FieldTexts = Readonly<Record<string, string>>;
export type WindowDay = NonNullable<Destination['window']>['days'][number];

export type DestinationDraft = {
  readonly kind: string;
  readonly name: string;
  readonly config: FieldTexts;
  readonly secrets: FieldTexts;
  /** Whether `secrets` take the place of those that are there. */
  readonly replacesSecrets: boolean;
  readonly pathTemplate: string;
  readonly collision: Destination['collision'];
  readonly qualities: readonly Quality[];
  /** Parameters of a picture that is made of each asset in place of its files; empty for these. */
  readonly picture: string;
  readonly sidecar: Destination['sidecar'];
  readonly embedMetadata: boolean;
  readonly concurrency: string;
  /** Megabytes a second; empty without a limit. */
  readonly bandwidth: string;
  readonly hasWindow: boolean;
  readonly window: NonNullable<Destination['window']>;
  readonly paused: boolean;
};

const MB = 1_000_000;
export const DEFAULT_TEMPLATE = '{captured_at:yyyy/MM/dd}/{media.name}-{media.id}-{quality}.{media.ext}';

export const newDraft = (kind: DestinationKind, timeZone: string): DestinationDraft => ({
  kind,
  name: '',
  config: {},
  secrets: {},
  replacesSecrets: true,
  pathTemplate: DEFAULT_TEMPLATE,
  collision: 'skip_same',
  qualities: ['photographer'],
  picture: '',
  sidecar: 'none',
  embedMetadata: false,
  concurrency: '4',
  bandwidth: '',
  hasWindow: false,
  window: { days: ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'], from: '22:00', to: '06:00', time_zone: timeZone },
  paused: false,
});

export function draftOf(destination: Destination, timeZone: string): DestinationDraft {
  const empty = newDraft('folder', timeZone);
  const texts = Object.entries(destination.config).map(([name, value]) => [name, String(value)] as const);
  return {
    kind: destination.kind,
    name: destination.name,
    config: Object.fromEntries(texts),
    secrets: {},
    replacesSecrets: !destination.has_secrets,
    pathTemplate: destination.path_template,
    collision: destination.collision,
    qualities: destination.qualities,
    picture: destination.rendition?.params ?? '',
    sidecar: destination.sidecar,
    embedMetadata: destination.embed_metadata,
    concurrency: String(destination.concurrency),
    bandwidth: destination.bandwidth_limit === null ? '' : String(destination.bandwidth_limit / MB),
    hasWindow: destination.window !== null,
    window: destination.window ?? empty.window,
    paused: destination.paused,
  };
}

function valueOf(field: KindField, text: string): unknown {
  if (field.type === 'flag') return text === 'true';
  if (field.name === 'path_style') return text === 'true';
  if (field.type === 'number') return Number(text);
  return text;
}

/** The members that were filled in, as the API takes them. */
function membersOf(fields: readonly KindField[], texts: FieldTexts): Record<string, unknown> {
  const given = fields.flatMap((field) => {
    const long = field.type === 'long' || field.type === 'long-secret';
    const text = long ? (texts[field.name] ?? '') : (texts[field.name] ?? '').trim();
    return text.trim() === '' || (field.type === 'flag' && text !== 'true') ? [] : [[field.name, valueOf(field, text)]];
  });
  return Object.fromEntries(given);
}

function commonOf(draft: DestinationDraft) {
  const bandwidth = draft.bandwidth.trim().replace(',', '.');
  return {
    name: draft.name.trim(),
    path_template: draft.pathTemplate,
    collision: draft.collision,
    sidecar: draft.sidecar,
    embed_metadata: draft.embedMetadata,
    concurrency: Number(draft.concurrency),
    bandwidth_limit: bandwidth === '' ? null : Math.round(Number(bandwidth) * MB),
    window: draft.hasWindow ? draft.window : null,
    paused: draft.paused,
    qualities: [...draft.qualities],
    rendition: draft.picture.trim() === '' ? null : ({ kind: 'image', params: draft.picture.trim() } as const),
  };
}

export function bodyOf(draft: DestinationDraft): DestinationBody {
  const spec = isKnownKind(draft.kind) ? KINDS[draft.kind] : undefined;
  const secrets = membersOf(spec?.secrets ?? [], draft.secrets);
  return {
    kind: draft.kind,
    ...commonOf(draft),
    config: membersOf(spec?.config ?? [], draft.config),
    ...(Object.keys(secrets).length > 0 && { secrets }),
  };
}

/** Only what differs: another config makes a destination unverified, and secrets are replaced as a whole. */
export function patchOf(draft: DestinationDraft, before: Destination): DestinationPatch {
  const spec = isKnownKind(before.kind) ? KINDS[before.kind] : undefined;
  const config = membersOf(spec?.config ?? [], draft.config);
  const names = new Set([...Object.keys(config), ...Object.keys(before.config)]);
  const changed = [...names].filter((name) => config[name] !== before.config[name]);
  const secrets = membersOf(spec?.secrets ?? [], draft.secrets);
  const { params } = before.rendition ?? {};
  const wanted = commonOf(draft);
  const present: Readonly<Record<string, unknown>> = {
    ...before,
    rendition: params === undefined ? null : { kind: 'image', params },
  };
  const common = Object.fromEntries(
    Object.entries(wanted).filter(([name, value]) => JSON.stringify(value) !== JSON.stringify(present[name])),
  );
  return {
    ...common,
    ...(changed.length > 0 && { config: Object.fromEntries(changed.map((name) => [name, config[name] ?? null])) }),
    ...(draft.replacesSecrets && Object.keys(secrets).length > 0 && { secrets }),
  };
}
