import type { LibraryScope } from '../auth/index.ts';
import type { Queryable } from '../db/index.ts';
import {
  type Action,
  type Asset,
  type AssetFile,
  findActions,
  findCollectionNames,
  findTags,
  type TagOption,
} from '../library/index.ts';
import type { PathValues } from './path-tokens.ts';

export type PathContext = {
  readonly organization: string;
  readonly tags: ReadonlyMap<number, TagOption>;
  readonly collections: ReadonlyMap<number, string>;
  readonly actions: ReadonlyMap<number, Action>;
};

/** The action that a clip was cut from. */
export function actionIdOf(asset: Asset): number | undefined {
  const id = asset.details['action_id'];
  return typeof id === 'number' ? id : undefined;
}

/** Reads what the paths of these assets may name: tag options with what their matches name, collections, actions. */
export async function loadPathContext(
  db: Queryable,
  scope: LibraryScope,
  wanted: {
    readonly assets: readonly Asset[];
    readonly organization: string;
    /** Beside those that assets name themselves. */
    readonly actionIds?: readonly number[];
  },
): Promise<PathContext> {
  const { assets, organization } = wanted;
  const actionIds = [...assets.flatMap((asset) => actionIdOf(asset) ?? []), ...(wanted.actionIds ?? [])];
  const actions = await findActions(db, scope, [...new Set(actionIds)]);
  const ids = new Set(assets.flatMap((asset) => asset.tags.map((tag) => tag.id)));
  for (const action of actions) for (const id of [action.typeId, ...action.players.map((one) => one.id)]) ids.add(id);
  const tags = new Map((await findTags(db, scope, [...ids])).map((tag) => [tag.id, tag]));
  const sides = [...tags.values()].flatMap(({ match }) => [match?.homeId, match?.awayId]);
  const missing = sides.filter((id) => typeof id === 'number' && !tags.has(id)).map(Number);
  for (const tag of await findTags(db, scope, [...new Set(missing)])) tags.set(tag.id, tag);
  const collectionIds = [...new Set(assets.flatMap((asset) => asset.collectionIds))];
  return {
    organization,
    tags,
    collections: await findCollectionNames(db, scope, collectionIds),
    actions: new Map(actions.map((action) => [action.id, action])),
  };
}

/** Without what follows the last dot, where that looks like an extension. */
function stemOf(name: string): string {
  return name.replace(/\.[0-9A-Za-z]{1,10}$/, '') || name;
}

function extensionOf(asset: Asset, file: AssetFile): string {
  if (file.quality === 'photographer') return asset.extension;
  return file.mimeType === 'video/mp4' ? 'mp4' : 'jpg';
}

/** What paths tell of the file that is delivered. */
export type PathFile = {
  readonly name: string;
  readonly quality: string;
  readonly width: number | null;
  readonly height: number | null;
  /** Without a dot. */
  readonly extension: string;
  /** That it shows. */
  readonly actionId: number | undefined;
};

/** Of a stored file of an asset. */
export const pathFileOf = (asset: Asset, file: AssetFile): PathFile => ({
  name: asset.name,
  quality: file.quality,
  // The size of an original is that of its asset.
  width: file.width ?? (file.quality === 'photographer' ? asset.width : null),
  height: file.height ?? (file.quality === 'photographer' ? asset.height : null),
  extension: extensionOf(asset, file),
  actionId: actionIdOf(asset),
});

/** The number that a player wore when the picture was taken. */
function shirtOf(player: TagOption | undefined, at: Date): number | null {
  const day = at.toISOString().slice(0, 10);
  const worn = (player?.relations ?? []).find(
    (one) =>
      one.kind === 'player_club' &&
      one.shirtNumber !== null &&
      (one.from === null || one.from <= day) &&
      (one.to === null || one.to >= day),
  );
  return worn?.shirtNumber ?? null;
}

/** What a path of one file can be made of. */
export function pathValuesOf(
  context: PathContext,
  file: {
    readonly asset: Asset;
    readonly file: PathFile;
    readonly sha256: string;
    readonly seq: number;
    readonly deliveryId: number;
  },
): PathValues {
  const { asset } = file;
  const tags = asset.tags.flatMap((tag) => context.tags.get(tag.id) ?? []);
  const ofType = (type: TagOption['type']) => tags.filter((tag) => tag.type === type);
  const labels = (type: TagOption['type']) => ofType(type).map((tag) => tag.label);
  const labelOf = (id: number | null | undefined) => (id ? (context.tags.get(id)?.label ?? null) : null);
  const [match] = ofType('match');
  const [player] = ofType('player');
  const byCategory = new Map<string, string[]>();
  for (const { category, label } of ofType('tag')) {
    const key = (category ?? '').toLowerCase();
    byCategory.set(key, [...(byCategory.get(key) ?? []), label]);
  }
  const action = context.actions.get(file.file.actionId ?? 0);
  const credit = asset.details['credit'];
  return {
    org: context.organization,
    media: {
      id: asset.id,
      name: stemOf(file.file.name),
      ext: file.file.extension,
      type: asset.mediaType,
    },
    quality: file.file.quality,
    width: file.file.width,
    height: file.file.height,
    sha256: file.sha256,
    capturedAt: asset.capturedAt,
    offsetMinutes: asset.capturedOffsetMinutes ?? 0,
    createdAt: asset.createdAt,
    collections: asset.collectionIds.flatMap((id) => context.collections.get(id) ?? []),
    competitions: labels('competition'),
    seasons: labels('season'),
    match: match
      ? {
          id: match.id,
          label: match.label,
          kickOff: match.match?.kickOff ?? null,
          round: match.match?.round ?? null,
          home: labelOf(match.match?.homeId),
          away: labelOf(match.match?.awayId),
        }
      : null,
    clubs: labels('club'),
    players: labels('player'),
    stadiums: labels('stadium'),
    sponsors: labels('sponsor'),
    tags: byCategory,
    credit: typeof credit === 'string' ? credit : null,
    shirt: shirtOf(player, asset.capturedAt ?? asset.createdAt),
    action: action
      ? {
          type: labelOf(action.typeId) ?? '',
          minute: action.minute,
          players: action.players.flatMap(({ id }) => labelOf(id) ?? []),
        }
      : null,
    seq: file.seq,
    deliveryId: file.deliveryId,
  };
}
