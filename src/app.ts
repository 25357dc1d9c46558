import { mkdir } from 'node:fs/promises';
import { availableParallelism, hostname } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import {
  type Api,
  createImageAccess,
  createImagePurge,
  createMediaUrls,
  createMetrics,
  createSearchDocuments,
  createServer,
  createUsageCounter,
  createWatermarkFinder,
  deleteExpiredAnswers,
  deliveryFilePath,
  type Metrics,
  organizationOf,
} from './api/index.ts';
import { createClipIntake, createClipTools } from './clip-tools.ts';
import { createClipMaker } from './clips/index.ts';
import { createAuthenticator, scopeOf } from './auth/index.ts';
import {
  AppError,
  DAY_MS,
  findTools,
  GIB,
  type Logger,
  MIB,
  MINUTE_MS,
  missingCapabilities,
  openSecretBox,
  systemClock,
} from './base/index.ts';
import type { Config } from './config.ts';
import { resealSecrets } from './db/index.ts';
import { createChannels, createDeliveries } from './delivery/index.ts';
import { createDeliveryPictures } from './delivery-tools.ts';
import { createImageCache, createImageService, createRenderer } from './images/index.ts';
import {
  createFaceDetector,
  createFaceSuggester,
  createIntake,
  createMediaImports,
  createMetadataEmbedder,
  createMetadataReader,
  createPhotoProcessor,
  createProcessing,
  createResumableUploads,
  enqueueProcessing,
} from './ingest/index.ts';
import { type JobHandlers, openJobs } from './jobs/index.ts';
import {
  createOrganizations,
  deleteOldChanges,
  deleteOldOperations,
  fillSearchText,
  findPurgeable,
  giveUpBulkOperation,
  purgeAsset,
  releaseActions,
  runBulkOperation,
  writeLibrary,
} from './library/index.ts';
import { createRules, deleteOldRuns } from './rules/index.ts';
import {
  createActionSearch,
  createBitmapEngine,
  createFilterJudge,
  createFreshness,
  createMatchedActions,
  createMediaSearch,
  createPostgresEngine,
  createSearchNames,
  createSnapshots,
  createTagLookup,
  type Freshness,
  type SearchEngine,
} from './search/index.ts';
import { createDownloads, createOutbound } from './outbound/index.ts';
import { openStorage } from './storage/index.ts';
import { createFfmpeg } from './video/index.ts';
import { countPendingMessages, createWebhooks } from './webhooks/index.ts';
import { type Installation, openInstallation } from './installation.ts';
import { createRuleTools } from './rule-tools.ts';
import { createStillLoader } from './still-tools.ts';
import { createVideoTools } from './video-tools.ts';

export type App = {
  readonly url: string;
  readonly installation: Installation;
  /** Tools this machine lacks, and what is off without them. */
  readonly missing: ReturnType<typeof missingCapabilities>;
  /** Stops in the reverse order of the start: no new requests, running ones drain, then jobs, then the database. */
  close(): Promise<void>;
};

/** What setup builds from web/. */
const WEB_FOLDER = join(import.meta.dirname, '..', 'web', 'dist');
const BIN_DAYS = 30;
const EVENT_DAYS = 30;
const METADATA_TIMEOUT_MS = 30_000;
/** Of assets as searches answer them, beside the indexes: 20,000, and 300,000 of 3.5 KiB. */
const MIN_DOCUMENTS_BYTES = 64 * MIB;
const MAX_DOCUMENTS_BYTES = GIB;
/** A copy of a large video takes its time; ten minutes are 20 GB on a slow disk. */
const EMBED_TIMEOUT_MS = 10 * MINUTE_MS;
const FACES_TIMEOUT_MS = 60_000;
const PHOTO_TIMEOUT_MS = 120_000;

type Closer = { readonly name: string; readonly close: () => Promise<void> };

/** The composition root: opens what the service is made of, in order, and closes it in reverse. */
export async function openApp(config: Config, logger: Logger, version: string): Promise<App> {
  const closers: Closer[] = [];
  const closing = async () => {
    for (const { name, close } of closers.toReversed()) {
      await close().catch((error: unknown) =>
        logger.warn({ event: 'close.failed', part: name, err: error }, 'close failed'),
      );
    }
  };
  try {
    return await open(config, { logger, version, closers, closing });
  } catch (error) {
    await closing();
    throw error;
  }
}

async function open(
  config: Config,
  context: {
    readonly logger: Logger;
    readonly version: string;
    readonly closers: Closer[];
    readonly closing: () => Promise<void>;
  },
): Promise<App> {
  const { logger, closers } = context;
  const cores = availableParallelism();
  const tools = findTools({ path: config.path });
  const temporaryFolder = join(config.dataDir, 'tmp');
  await mkdir(temporaryFolder, { recursive: true, mode: 0o700 });

  const installation = await openInstallation(config, logger);
  const { db } = installation;
  closers.push({ name: 'database', close: () => installation.close() });
  // Before anything can search: an upgraded library has assets whose words were never kept.
  await fillSearchText(db, { logger });
  const storage = await openStorage(config.storage, { tempDirectory: temporaryFolder, logger });
  closers.push({ name: 'storage', close: () => storage.close() });

  const metadata = createMetadataReader({ logger, timeoutMs: METADATA_TIMEOUT_MS, maxProcesses: cores });
  const faces = createFaceDetector({ logger, timeoutMs: FACES_TIMEOUT_MS });
  const photos = createPhotoProcessor({
    logger,
    metadata,
    timeoutMs: PHOTO_TIMEOUT_MS,
    tools: tools.heifConvert === undefined ? {} : { heifConvert: tools.heifConvert },
  });
  closers.push({ name: 'photos', close: () => photos.close() });
  closers.push({ name: 'metadata', close: () => metadata.close() });
  closers.push({ name: 'faces', close: () => faces.close() });
  // After the tools that jobs use: a stop lets the running jobs end before it takes these away.
  const jobs = await openJobs({
    connection: installation.connection,
    applicationName: installation.applicationName,
    cores,
    logger,
  });
  closers.push({ name: 'jobs', close: () => jobs.stop({ drainMs: config.shutdownMs }) });
  const ffmpeg = createFfmpeg({ ffmpegPath: tools.ffmpeg, ffprobePath: tools.ffprobe, logger, cores });
  const videos = createVideoTools(ffmpeg);
  const processing = createProcessing({ db, storage, temporaryFolder, photos, faces, videos, jobs, logger });
  const faceSuggester = createFaceSuggester({ db, storage, faces, logger });
  const intake = createIntake({ db, storage, jobs, temporaryFolder, maxBytes: config.maxUploadBytes, logger });
  const uploads = createResumableUploads({
    db,
    intake,
    folder: join(config.dataDir, 'uploads'),
    node: `${hostname()}:${config.port}`,
    maxBytes: config.maxUploadBytes,
    maxOpenBytes: config.maxOpenUploadBytes,
    logger,
  });
  // Behind the server, which brings their bytes: what a stop interrupts is noted before the database closes.
  closers.push({ name: 'uploads', close: () => uploads.close() });
  const clips = createClipMaker({
    db,
    storage,
    temporaryFolder,
    tools: createClipTools({ ffmpeg, faces }),
    intake: createClipIntake(intake),
    clock: systemClock,
    logger,
  });
  const cache = createImageCache({ directory: join(config.dataDir, 'cache'), maxBytes: config.imageCacheBytes });
  const images = createImageService({
    cache,
    renderer: createRenderer({}),
    loadTier: async (_asset, tier, signal) => buffer(await storage.read(tier.name, undefined, signal)),
    loadStill: createStillLoader({ ffmpeg, storage, temporaryFolder, cores }),
    // Asked for by requests only, which come when everything below is there.
    findWatermark: (organizationId, name) => findWatermark(organizationId, name),
    onCacheFault: (error) => logger.warn({ event: 'image_cache.failed', err: error }, 'image cache failed'),
  });
  const imagePurge = createImagePurge({ db, images, clock: systemClock, logger });
  const metadataEmbedder = createMetadataEmbedder({
    db,
    storage,
    temporaryFolder,
    logger,
    timeoutMs: EMBED_TIMEOUT_MS,
    concurrency: cores,
  });
  closers.push({ name: 'metadata embedder', close: () => metadataEmbedder.close() });
  const secretBox = await openSecretBox({ keys: config.secretKeys, keyFile: join(config.dataDir, 'secret.key') });
  await resealSecrets(db, { secretBox, logger });
  const reach = { allow: config.outboundAllow, userAgent: `Touchline/${context.version}` };
  const outbound = createOutbound(reach);
  const deliveries = createDeliveries({
    db,
    storage,
    jobs,
    channels: createChannels({ folders: config.deliveryFolders, stallMs: config.deliveryStallMs, outbound }),
    links: async (scope, { deliveryId, name, expires }) => {
      const organization = await organizationOf({ organizations: imageAccess }, scope);
      return urls.signed(organization, { path: deliveryFilePath(organization, { deliveryId, name }), expires });
    },
    secretBox,
    metadata: metadataEmbedder,
    pictures: createDeliveryPictures({
      db,
      images,
      // Asked for by jobs and requests only, which come when everything below is there.
      rules: (organizationId) => imageAccess.rules(organizationId),
      temporaryFolder,
    }),
    clock: systemClock,
    logger,
  });
  closers.push({ name: 'deliveries', close: async () => deliveries.close() });
  const mediaImports = createMediaImports({ db, jobs, intake, uploads, downloads: createDownloads(reach) });
  const webhooks = createWebhooks({ db, jobs, outbound, secretBox, clock: systemClock, logger });
  closers.push({ name: 'outbound', close: async () => outbound.close() });
  closers.push({ name: 'webhooks', close: async () => webhooks.close() });
  void intake.sweep();

  const handlers: JobHandlers = {
    'photo.process': (target, run) => processing.photo(target, run),
    'video.process': (target, run) => processing.video(target, run),
    'media.abandoned': (target) => processing.abandon(target),
    'clip.make': (target, run) => clips.make(target, run),
    'clip.abandoned': (target) => clips.abandon(target),
    'media.bulk': ({ organizationId, operationId }, { signal }) =>
      runBulkOperation(db, scopeOf(organizationId), {
        id: operationId,
        hooks: { enqueueProcessing: (write, asset) => enqueueProcessing(jobs, write, asset) },
        onDeleted: async (ids) => {
          for (const mediaId of ids) await images.purge({ orgId: organizationId, mediaId });
        },
        signal,
      }),
    'media.bulk_abandoned': ({ organizationId, operationId }) =>
      giveUpBulkOperation(db, scopeOf(organizationId), {
        id: operationId,
        reason: 'The operation was interrupted every time it was tried.',
      }),
    'delivery.run': (target, { signal }) => deliveries.run(target, signal),
    'delivery.sweep': () => deliveries.sweep(),
    'rule.run': (target, { signal }) => rules.run(target, signal),
    'rule.sweep': () => rules.sweep(),
    'webhook.run': (target, { signal }) => webhooks.run(target, signal),
    'webhook.sweep': () => webhooks.sweep(),
    'faces.suggest': (target, run) => faceSuggester.run(target, run),
    'media.import': (target, run) => mediaImports.run(target, { ...run, scope: scopeOf(target.organizationId) }),
    'media.import_abandoned': (target) => mediaImports.giveUp(target, scopeOf(target.organizationId)),
    'upload.sweep': async (_payload, { signal }) => {
      await mediaImports.sweep();
      await uploads.sweep(signal);
    },
    'library.purge': async (_payload, { signal }) => {
      await clips.purge(signal);
      await deleteExpiredAnswers(db, new Date(Date.now() - DAY_MS));
      const before = new Date(Date.now() - BIN_DAYS * DAY_MS);
      await deleteOldOperations(db, before);
      await deleteOldChanges(db, { now: systemClock.now(), keptMs: EVENT_DAYS * DAY_MS, signal });
      await deleteOldRuns(db, before);
      for (;;) {
        const assets = await findPurgeable(db, { before, limit: 100 });
        for (const asset of assets) {
          signal.throwIfAborted();
          // Before the commit: a crash in between leaves an asset in the bin without files, which the next run removes.
          await writeLibrary(db, scopeOf(asset.organizationId), async (write) => {
            await releaseActions(write, asset.id);
            await storage.remove(await purgeAsset(write.tx, asset));
            write.record({ type: 'media.purged', objectId: asset.id });
          });
          await images.purge({ orgId: asset.organizationId, mediaId: asset.id });
        }
        if (assets.length === 0) return;
      }
    },
  };

  const metrics = createMetrics();
  const usage = createUsageCounter({ db, clock: systemClock, logger });
  closers.push({ name: 'usage', close: () => usage.close() });
  metrics.gaugeBy(
    'touchline_jobs',
    { help: 'Jobs that wait or run', label: 'job' },
    async () => new Map(Object.entries(await jobs.depth())),
  );
  const freshness = createFreshness({ db, logger });
  closers.push({ name: 'freshness', close: () => freshness.close() });
  const tagLookup = createTagLookup({ db, logger, freshness });
  closers.push({ name: 'tag lookup', close: () => tagLookup.close() });
  metrics.gaugeBy(
    'touchline_tag_lookup_bytes',
    { help: 'Estimated memory of the tag lookup', label: 'organization' },
    async () => {
      return new Map(tagLookup.stats().map((one) => [String(one.organizationId), one.bytes]));
    },
  );
  metrics.gaugeBy(
    'touchline_webhook_messages',
    { help: 'Messages of webhooks that wait', label: 'organization' },
    async () => new Map([...(await countPendingMessages(db))].map(([id, count]) => [String(id), count])),
  );
  metrics.gauge('touchline_image_cache_bytes', 'Rendered images on disk', () => cache.sizeBytes);

  const imageAccess = createImageAccess({
    db,
    freshness,
    organizations: createOrganizations(db),
    logger,
    onChanges: (organizationId, changes) => imagePurge.note(organizationId, changes),
  });
  closers.push({
    name: 'image access',
    close: () => {
      imageAccess.close();
      return imagePurge.settled();
    },
  });
  const findWatermark = createWatermarkFinder({ imageAccess, storage });
  const urls = createMediaUrls({ baseUrl: config.mediaUrl, clock: systemClock });
  const documents = createSearchDocuments({
    db,
    logger,
    clock: systemClock,
    freshness,
    organizations: imageAccess,
    urls,
    maxBytes: Math.min(Math.max(config.searchMemoryBytes / 4, MIN_DOCUMENTS_BYTES), MAX_DOCUMENTS_BYTES),
  });
  closers.push({ name: 'documents', close: () => documents.close() });
  metrics.gaugeBy(
    'touchline_search_documents_bytes',
    { help: 'Assets kept as search answers them', label: 'organization' },
    async () => new Map(documents.stats().map((one) => [String(one.organizationId), one.bytes])),
  );

  const engine = openEngine(config, { installation, logger, freshness, metrics, closers });
  const names = createSearchNames({ db, tagLookup });
  const mediaSearch = createMediaSearch({ engine, names });
  const judge = createFilterJudge({ db, mediaSearch, names });
  const ruleTools = createRuleTools({ judge, deliveries, jobs, clock: systemClock });
  const rules = createRules({ db, jobs, tools: ruleTools, clock: systemClock, logger });
  closers.push({ name: 'rules', close: async () => rules.close() });
  const api = await createServer({
    db,
    clock: systemClock,
    logger,
    authenticator: createAuthenticator({ db, clock: systemClock, logger }),
    organizations: imageAccess,
    imageAccess,
    mediaSearch,
    actionSearch: createActionSearch({ engine, names }),
    matchedActions: createMatchedActions({ db, names }),
    freshness,
    documents,
    tagLookup,
    images,
    storage,
    intake,
    uploads,
    mediaImports,
    metadataEmbedder,
    deliveries,
    webhooks,
    rules,
    jobs,
    urls,
    metrics,
    usage,
    settings: {
      publicUrl: config.publicUrl,
      mediaUrl: config.mediaUrl,
      webFolder: WEB_FOLDER,
      trustProxy: config.trustProxy,
      maxUploadBytes: config.maxUploadBytes,
      temporaryFolder,
      version: context.version,
    },
  });
  closers.push({ name: 'http', close: () => closeHttp(api, config.shutdownMs) });
  await uploads.takeOver();
  // Listening first: a port that is taken is found out before any job starts.
  const url = await listen(api, config);
  await jobs.run(handlers);
  return { url, installation, missing: missingCapabilities(tools), close: context.closing };
}

/** A start right after kill -9 may meet its forerunner still letting go of the port. */
const PORT_WAIT_MS = 5000;

async function listen(api: Api, config: Config): Promise<string> {
  const deadline = Date.now() + PORT_WAIT_MS;
  for (;;) {
    try {
      return await api.listen({ port: config.port, host: config.host });
    } catch (error) {
      const code = error instanceof Error && 'code' in error ? error.code : undefined;
      if (code === 'EACCES')
        throw new AppError(
          'unavailable',
          `port ${config.port} needs a privilege this user lacks: set PORT to one above 1023`,
        );
      if (code !== 'EADDRINUSE') throw error;
      if (Date.now() > deadline)
        throw new AppError(
          'unavailable',
          `port ${config.port} on ${config.host} is taken by another program: set PORT to a free one`,
        );
      await delay(200);
    }
  }
}

/** Takes no new requests and lets the running ones end; those that have not after `drainMs` are cut off. */
async function closeHttp(api: Api, drainMs: number): Promise<void> {
  const cutOff = setTimeout(() => api.server.closeAllConnections(), drainMs);
  try {
    await api.close();
  } finally {
    clearTimeout(cutOff);
  }
}

function openEngine(
  config: Config,
  deps: {
    readonly installation: Installation;
    readonly logger: Logger;
    readonly freshness: Freshness;
    readonly metrics: Metrics;
    readonly closers: Closer[];
  },
): SearchEngine {
  const { installation, logger, freshness, metrics, closers } = deps;
  const { db, connection, applicationName } = installation;
  const postgres = createPostgresEngine(db);
  if (config.searchEngine === 'postgres') return postgres;
  const bitmap = createBitmapEngine({
    db,
    connection,
    applicationName,
    freshness,
    whileLoading: postgres,
    snapshots: createSnapshots({ folder: join(config.dataDir, 'search'), logger }),
    maxBytes: config.searchMemoryBytes,
    logger,
  });
  closers.push({ name: 'search', close: () => bitmap.close() });
  const gauge = (name: string, help: string, value: (one: ReturnType<typeof bitmap.stats>[number]) => number) =>
    metrics.gaugeBy(
      name,
      { help, label: 'organization' },
      async () => new Map(bitmap.stats().map((one) => [String(one.organizationId), value(one)])),
    );
  gauge('touchline_search_index_bytes', 'Memory of the search index', (one) => one.bytes);
  gauge('touchline_search_index_assets', 'Assets in the search index', (one) => one.size);
  gauge('touchline_search_index_actions', 'Actions in the search index', (one) => one.actions);
  return bitmap;
}
