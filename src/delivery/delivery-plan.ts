import { createHash } from 'node:crypto';
import type { LibraryScope } from '../auth/index.ts';
import type { Database } from '../db/index.ts';
import { type Asset, type AssetFile, findAssets, isPublic } from '../library/index.ts';
import { findDelivered, reserveDeliveryIds } from './delivery-store.ts';
import type { PlannedDelivery } from './delivery-types.ts';
import type { DeliveredQuality, Destination } from './destination-types.ts';
import type { NameRules } from './name-rules.ts';
import { type PathTemplate, withSuffix } from './path-template.ts';
import { type PathContext, loadPathContext, pathValuesOf } from './path-values.ts';

export type PlanRequest = {
  readonly destination: Pick<Destination, 'id' | 'collision' | 'qualities'>;
  readonly template: PathTemplate;
  readonly rules: NameRules;
  readonly mediaIds: readonly number[];
  readonly qualities: readonly DeliveredQuality[];
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

/** Names the bytes of a file: derived files get a new key each time, originals are named by their hash. */
function sourceOf(asset: Asset, file: AssetFile): string {
  return createHash('sha256')
    .update(file.quality === 'photographer' ? asset.sha256 : file.storageKey)
    .digest('hex');
}

const fingerprintOf = (destinationId: number, path: string, source: string): string =>
  createHash('sha256')
    .update(JSON.stringify([destinationId, path, source]))
    .digest('hex');

type Refusal = { readonly code: string; readonly reason: string };

function refusalOf(asset: Asset, request: PlanRequest): Refusal | undefined {
  if (asset.status !== 'ready' && asset.status !== 'archived') {
    return { code: 'state_conflict', reason: `the asset is ${asset.status}` };
  }
  if (!request.includeRestricted && !isPublic(asset, request.now)) {
    return { code: 'media_restricted', reason: `the usage of the asset is ${asset.usage}` };
  }
  return undefined;
}

/**
 * What a request comes to: one delivery a file, each with its path, in the order of the IDs. Two files of one request never get one
 * path. IDs that are not in the library are left out; the caller has looked.
 */
export async function planDeliveries(
  db: Database,
  scope: LibraryScope,
  request: PlanRequest,
): Promise<{ readonly planned: readonly PlannedDelivery[]; readonly found: ReadonlySet<number> }> {
  const { mediaIds, qualities } = request;
  const found = new Set<number>();
  const planned: PlannedDelivery[] = [];
  const taken = new Map<string, number>();
  const ids = request.reserveIds ? await reserveDeliveryIds(db, mediaIds.length * qualities.length) : [];
  for (let at = 0; at < mediaIds.length; at += ASSETS_PER_READ) {
    const page = mediaIds.slice(at, at + ASSETS_PER_READ);
    const assets = (await findAssets(db, scope, page)).filter((asset) => asset.status !== 'deleted');
    const byId = new Map(assets.map((asset) => [asset.id, asset]));
    const context = await loadPathContext(db, scope, { assets, organization: request.organization });
    for (const id of page) {
      const asset = byId.get(id);
      if (!asset) continue;
      found.add(id);
      for (const quality of qualities) {
        const file = asset.files.find((one) => one.quality === quality);
        const n = planned.length;
        planned.push(planOne(request, { asset, file, quality, context, taken, seq: n + 1, id: ids[n] ?? 0 }));
      }
    }
  }
  return { planned: request.again ? planned : await withoutDelivered(db, scope, request, planned), found };
}

type OneFile = {
  readonly asset: Asset;
  readonly file: AssetFile | undefined;
  readonly quality: DeliveredQuality;
  readonly context: PathContext;
  /** Paths of this request, as a file system that folds case sees them. */
  readonly taken: Map<string, number>;
  readonly seq: number;
  readonly id: number;
};

function planOne(request: PlanRequest, one: OneFile): PlannedDelivery {
  const { asset, file, quality, id } = one;
  const base = { id, mediaId: asset.id, quality, errorCode: null, errorReason: null };
  if (!file) {
    const reason = refusalOf(asset, request)?.reason ?? `the asset has no ${quality} file`;
    return {
      ...base,
      state: 'skipped',
      path: '',
      fingerprint: '',
      bytes: 0,
      sha256: null,
      errorCode: 'not_found',
      errorReason: reason,
    };
  }
  const source = sourceOf(asset, file);
  const sha256 = quality === 'photographer' ? asset.sha256 : null;
  const values = pathValuesOf(one.context, {
    asset,
    file,
    sha256: sha256 ?? source,
    seq: one.seq,
    deliveryId: id,
  });
  let path = request.template.resolve(values, request.rules);
  const refusal = refusalOf(asset, request);
  if (!refusal) {
    for (let n = 2; one.taken.has(foldPath(path)) && request.destination.collision === 'suffix'; n += 1) {
      path = withSuffix(request.template.resolve(values, request.rules), n);
    }
    const other = one.taken.get(foldPath(path));
    if (other !== undefined) {
      const reason = `asset ${other} of this request has the same path`;
      return {
        ...base,
        ...filed(request, { path, source, file, sha256 }),
        state: 'failed',
        errorCode: 'name_taken',
        errorReason: reason,
      };
    }
    one.taken.set(foldPath(path), asset.id);
  }
  return {
    ...base,
    ...filed(request, { path, source, file, sha256 }),
    state: refusal ? 'skipped' : 'queued',
    errorCode: refusal?.code ?? null,
    errorReason: refusal?.reason ?? null,
  };
}

const foldPath = (path: string): string => path.toLowerCase();

function filed(
  request: PlanRequest,
  {
    path,
    source,
    file,
    sha256,
  }: { readonly path: string; readonly source: string; readonly file: AssetFile; readonly sha256: string | null },
) {
  return {
    path,
    fingerprint: fingerprintOf(request.destination.id, path, source),
    bytes: file.bytes,
    sha256,
  };
}

async function withoutDelivered(
  db: Database,
  scope: LibraryScope,
  request: PlanRequest,
  planned: readonly PlannedDelivery[],
): Promise<readonly PlannedDelivery[]> {
  const fingerprints = planned.filter((one) => one.state === 'queued').map((one) => one.fingerprint);
  const earlier = await findDelivered(db, scope, { destinationId: request.destination.id, fingerprints });
  return planned.map((one) => {
    const before = one.state === 'queued' ? earlier.get(one.fingerprint) : undefined;
    if (before === undefined) return one;
    const reason = `delivery ${before} has the same file for this path; again: true delivers it once more`;
    return { ...one, state: 'skipped', errorCode: 'duplicate', errorReason: reason };
  });
}
