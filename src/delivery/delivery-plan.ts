import { createHash } from 'node:crypto';
import type { LibraryScope } from '../auth/index.ts';
import { AppError } from '../base/index.ts';
import type { Queryable } from '../db/index.ts';
import { type Asset, findAssets, findClips, isPublic } from '../library/index.ts';
import { findDelivered, reserveDeliveryIds } from './delivery-store.ts';
import { sourcesOf } from './delivery-subject.ts';
import type { PlannedDelivery } from './delivery-types.ts';
import type { DeliveredQuality, Destination } from './destination-types.ts';
import type { NameRules } from './name-rules.ts';
import { type PathTemplate, withSuffix } from './path-template.ts';
import { loadPathContext, type PathContext, pathValuesOf } from './path-values.ts';
import { describeClip, describeFile, describeImage, type PlannedFile } from './planned-file.ts';
import type { DeliveryPictures, ImageRendition } from './rendition.ts';

/** What is wanted: files or a picture of each asset, or clips. */
export type PlanSubject =
  | { readonly mediaIds: readonly number[]; readonly qualities: readonly DeliveredQuality[] }
  | { readonly mediaIds: readonly number[]; readonly rendition: ImageRendition }
  | { readonly clipIds: readonly number[] };

export type PlanRequest = {
  readonly destination: Pick<Destination, 'id' | 'collision'>;
  readonly template: PathTemplate;
  readonly rules: NameRules;
  readonly subject: PlanSubject;
  readonly organization: string;
  /** Also assets that are not free for use at present. */
  readonly includeRestricted: boolean;
  /** Also what has been delivered before. */
  readonly again: boolean;
  /** False: the IDs of what is planned are 0. */
  readonly reserveIds: boolean;
  readonly now: Date;
};

const ASSETS_PER_READ = 500;

const fingerprintOf = (destinationId: number, path: string, source: string): string =>
  createHash('sha256')
    .update(JSON.stringify([destinationId, path, source]))
    .digest('hex');

type Refusal = { readonly code: string; readonly reason: string };

/** One file of a request before it has its path. */
type Candidate = {
  readonly asset: Asset;
  /** All whose pictures are in it. */
  readonly sources: readonly Asset[];
  readonly what: Pick<PlannedDelivery, 'quality' | 'rendition'>;
  readonly file: PlannedFile | Refusal;
};

/** How many files it comes to. */
export function countFiles(subject: PlanSubject): number {
  if ('clipIds' in subject) return subject.clipIds.length;
  return subject.mediaIds.length * ('qualities' in subject ? subject.qualities.length : 1);
}

/**
 * What a request comes to: one delivery a file, each with its path, in the order of the IDs. Two files of one request never get one
 * path. IDs that are not in the library are left out; `found` has those that are.
 */
export async function planDeliveries(
  deps: { readonly pictures: Pick<DeliveryPictures, 'plan'> },
  { db, scope }: { readonly db: Queryable; readonly scope: LibraryScope },
  request: PlanRequest,
): Promise<{ readonly planned: readonly PlannedDelivery[]; readonly found: ReadonlySet<number> }> {
  const { subject, destination } = request;
  const wanted = 'clipIds' in subject ? subject.clipIds : subject.mediaIds;
  const found = new Set<number>();
  const planned: PlannedDelivery[] = [];
  const taken = new Map<string, number>();
  const ids = request.reserveIds ? await reserveDeliveryIds(db, countFiles(subject)) : [];
  for (let at = 0; at < wanted.length; at += ASSETS_PER_READ) {
    const page = wanted.slice(at, at + ASSETS_PER_READ);
    const load = 'clipIds' in subject ? loadClips : loadMedia;
    const candidates = await load({ ...deps, db, scope, subject, ids: page, found });
    const context = await loadPathContext(db, scope, {
      assets: candidates.map(({ asset }) => asset),
      organization: request.organization,
      actionIds: candidates.flatMap(({ file }) => ('reason' in file ? [] : (file.path.actionId ?? []))),
    });
    for (const candidate of candidates) {
      const n = planned.length;
      planned.push(planOne(request, { candidate, context, taken, seq: n + 1, id: ids[n] ?? 0 }));
    }
  }
  if (request.again) return { planned, found };
  return { planned: await withoutDelivered(db, scope, { destinationId: destination.id, planned }), found };
}

type Page = {
  readonly pictures: Pick<DeliveryPictures, 'plan'>;
  readonly db: Queryable;
  readonly scope: LibraryScope;
  readonly subject: PlanSubject;
  readonly ids: readonly number[];
  readonly found: Set<number>;
};

async function loadMedia({ pictures, db, scope, subject, ids, found }: Page): Promise<readonly Candidate[]> {
  const candidates: Candidate[] = [];
  for (const asset of await findAssets(db, scope, ids)) {
    if (asset.status === 'deleted' || 'clipIds' in subject) continue;
    found.add(asset.id);
    const common = { asset, sources: [asset] };
    if ('rendition' in subject) {
      const { rendition } = subject;
      const file = await planPicture(pictures, { scope, asset, rendition });
      candidates.push({ ...common, what: { quality: null, rendition }, file });
      continue;
    }
    for (const quality of subject.qualities) {
      const none = { code: 'not_found', reason: `the asset has no ${quality} file` };
      candidates.push({ ...common, what: { quality, rendition: null }, file: describeFile(asset, quality) ?? none });
    }
  }
  return candidates;
}

async function planPicture(
  pictures: Pick<DeliveryPictures, 'plan'>,
  wanted: { readonly scope: LibraryScope; readonly asset: Asset; readonly rendition: ImageRendition },
): Promise<PlannedFile | Refusal> {
  const { scope, asset, rendition } = wanted;
  try {
    const picture = await pictures.plan(scope, { asset, params: rendition.params });
    if (picture) return describeImage({ asset, rendition, picture });
    return { code: 'not_found', reason: 'the asset has no picture to show' };
  } catch (error) {
    // What this asset does not have, such as a moment of a photo; others of the request may.
    if (error instanceof AppError && error.status < 500) return { code: error.code, reason: error.message };
    throw error;
  }
}

async function loadClips({ db, scope, ids, found }: Page): Promise<readonly Candidate[]> {
  const clips = await findClips(db, scope, ids);
  const assets = await findAssets(db, scope, [...new Set(clips.flatMap(sourcesOf))]);
  const byId = new Map(assets.map((asset) => [asset.id, asset]));
  return clips.flatMap((clip): Candidate[] => {
    const sources = sourcesOf(clip).flatMap((id) => byId.get(id) ?? []);
    const [asset] = sources;
    if (!asset) return [];
    found.add(clip.id);
    const isOver = clip.state === 'failed' || clip.state === 'cancelled';
    const refusal = { code: 'state_conflict', reason: `the clip is ${clip.state}` };
    const what = { quality: null, rendition: { kind: 'clip', clip_id: clip.id } } as const;
    return [{ asset, sources, what, file: isOver ? refusal : describeClip(clip) }];
  });
}

/** Why it is not delivered at present. */
function refusalOf({ sources, file }: Candidate, request: PlanRequest): Refusal | undefined {
  const unready = sources.find((asset) => asset.status !== 'ready' && asset.status !== 'archived');
  if (unready) return { code: 'state_conflict', reason: `asset ${unready.id} is ${unready.status}` };
  if ('reason' in file) return file;
  const restricted = request.includeRestricted ? undefined : sources.find((asset) => !isPublic(asset, request.now));
  if (!restricted) return undefined;
  return { code: 'media_restricted', reason: `the usage of asset ${restricted.id} is ${restricted.usage}` };
}

type OneFile = {
  readonly candidate: Candidate;
  readonly context: PathContext;
  /** Paths of this request, as a file system that folds case sees them. */
  readonly taken: Map<string, number>;
  readonly seq: number;
  readonly id: number;
};

function planOne(request: PlanRequest, one: OneFile): PlannedDelivery {
  const { candidate, taken, id } = one;
  const { asset, what, file } = candidate;
  const base = { id, mediaId: asset.id, ...what };
  const refusal = refusalOf(candidate, request);
  if ('reason' in file) {
    const { code, reason } = refusal ?? file;
    const nothing = { path: '', fingerprint: '', bytes: 0, sha256: null };
    return { ...base, ...nothing, state: 'skipped', errorCode: code, errorReason: reason };
  }
  const path = pathOf(request, { ...one, file }, refusal === undefined);
  const filed = {
    ...base,
    path,
    fingerprint: fingerprintOf(request.destination.id, path, file.source),
    bytes: file.bytes,
    sha256: file.sha256,
  };
  if (refusal) return { ...filed, state: 'skipped', errorCode: refusal.code, errorReason: refusal.reason };
  const other = taken.get(foldPath(path));
  if (other !== undefined) {
    const errorReason = `asset ${other} of this request has the same path`;
    return { ...filed, state: 'failed', errorCode: 'name_taken', errorReason };
  }
  taken.set(foldPath(path), asset.id);
  return { ...filed, state: 'queued', errorCode: null, errorReason: null };
}

/** By the template; with a number where the destination gives numbers, and another file of the request has the path. */
function pathOf(request: PlanRequest, one: OneFile & { readonly file: PlannedFile }, isWanted: boolean): string {
  const { candidate, file, context, taken, seq, id } = one;
  const sha256 = file.sha256 ?? file.source;
  const values = pathValuesOf(context, { asset: candidate.asset, file: file.path, sha256, seq, deliveryId: id });
  const path = request.template.resolve(values, request.rules);
  if (!isWanted || request.destination.collision !== 'suffix') return path;
  let numbered = path;
  for (let n = 2; taken.has(foldPath(numbered)); n += 1) numbered = withSuffix(path, n);
  return numbered;
}

const foldPath = (path: string): string => path.toLowerCase();

/** Marks as duplicates what is on its way to the same path with the same bytes, or has arrived there. */
export async function withoutDelivered(
  db: Queryable,
  scope: LibraryScope,
  { destinationId, planned }: { readonly destinationId: number; readonly planned: readonly PlannedDelivery[] },
): Promise<readonly PlannedDelivery[]> {
  const fingerprints = planned.filter((one) => one.state === 'queued').map((one) => one.fingerprint);
  const earlier = await findDelivered(db, scope, { destinationId, fingerprints });
  return planned.map((one) => {
    const before = one.state === 'queued' ? earlier.get(one.fingerprint) : undefined;
    if (before === undefined) return one;
    const reason = `delivery ${before} has the same file for this path; again: true delivers it once more`;
    return { ...one, state: 'skipped', errorCode: 'duplicate', errorReason: reason };
  });
}
