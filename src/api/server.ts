import multipart from '@fastify/multipart';
import swagger from '@fastify/swagger';
import swaggerUi from '@fastify/swagger-ui';
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import { type FastifyBaseLogger, type FastifyInstance, fastify, LogController, type RawServerDefault } from 'fastify';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { MIB, MINUTE_MS, newRequestId, SECOND_MS } from '../base/index.ts';
import { ActionFilterSchema, FilterSchema } from '../search/index.ts';
import type { ApiDeps } from './deps.ts';
import { answerClientError, registerErrors, sendFrameworkError, toAppError } from './plugins/errors.ts';
import { registerIdempotency } from './plugins/idempotency.ts';
import { openApiOptions } from './plugins/openapi.ts';
import { registerPrincipal } from './plugins/principal.ts';
import { createRateLimiter } from './plugins/rate-limit.ts';
import { shownUrl } from './plugins/request-url.ts';
import { registerSerialization } from './plugins/serialization.ts';
import { createValidatorCompiler } from './plugins/validation.ts';
import { registerActionFiles } from './routes/action-files.ts';
import { registerActionSearchRoutes } from './routes/action-search.ts';
import { registerActionRoutes } from './routes/actions.ts';
import { registerBulkOperationRoutes } from './routes/bulk-operations.ts';
import { registerClipFileRoutes } from './routes/clip-files.ts';
import { registerClipRoutes } from './routes/clips.ts';
import { registerCollectionRoutes } from './routes/collections.ts';
import { registerDeliveryFileRoutes } from './routes/delivery-files.ts';
import { registerDeliveryRoutes } from './routes/deliveries.ts';
import { registerDeliveryBatchRoutes } from './routes/delivery-batches.ts';
import { registerDestinationRoutes } from './routes/destinations.ts';
import { registerDetailFieldRoutes } from './routes/detail-fields.ts';
import { registerDownloadRoutes } from './routes/download.ts';
import { registerErrorDocs } from './routes/error-docs.ts';
import { registerEventStreamRoutes } from './routes/event-stream.ts';
import { registerEventRoutes } from './routes/events.ts';
import { registerFaceRoutes } from './routes/faces.ts';
import { registerFileRoutes } from './routes/files.ts';
import { registerImagePresetRoutes } from './routes/image-presets.ts';
import { registerFaceSettingsRoutes } from './routes/face-settings.ts';
import { registerImageSettingsRoutes } from './routes/image-settings.ts';
import { registerImageRoutes } from './routes/images.ts';
import { registerKeyRoutes } from './routes/keys.ts';
import { registerMediaBulkRoutes } from './routes/media-bulk.ts';
import { registerMediaImportRoutes } from './routes/media-import.ts';
import { registerMediaRoutes } from './routes/media.ts';
import { registerMediaTagRoutes } from './routes/media-tags.ts';
import { registerOperationsRoutes } from './routes/operations.ts';
import { registerResumableUploads } from './routes/resumable-uploads.ts';
import { registerRuleRoutes } from './routes/rules.ts';
import { registerSavedSearchRoutes } from './routes/saved-searches.ts';
import { registerSearchRoutes } from './routes/search.ts';
import { registerTagRoutes } from './routes/tags.ts';
import { registerUploadRoutes } from './routes/upload.ts';
import { registerUsageRoutes } from './routes/usage.ts';
import { registerWatermarkRoutes } from './routes/watermarks.ts';
import { registerWeb } from './routes/web.ts';
import { registerWebhookMessageRoutes } from './routes/webhook-messages.ts';
import { registerWebhookRoutes } from './routes/webhooks.ts';
import { ActionOut, WrittenAction } from './wire/actions.ts';
import { OperationOut } from './wire/bulk.ts';
import { Problem } from './wire/common.ts';
import { ClipOut } from './wire/clips.ts';
import { CollectionOut } from './wire/collections.ts';
import { BatchOut, DeliveryOut } from './wire/deliveries.ts';
import { DestinationOut } from './wire/destinations.ts';
import { DetailFieldOut } from './wire/detail-fields.ts';
import { ImageKeyOut, ImagePresetOut, WatermarkOut } from './wire/image-settings.ts';
import { KeyOut } from './wire/keys.ts';
import { MediaOut, UploadMetadata } from './wire/media.ts';
import { RuleOut, RuleRunOut } from './wire/rules.ts';
import { SavedSearchOut } from './wire/saved-searches.ts';
import { MediaHit } from './wire/search.ts';
import { TagHitSchema, TagOptionOut } from './wire/tags.ts';
import { WebhookMessageOut, WebhookOut } from './wire/webhooks.ts';
import { UploadOut } from './wire/uploads.ts';

export type Api = FastifyInstance<
  RawServerDefault,
  IncomingMessage,
  ServerResponse,
  FastifyBaseLogger,
  TypeBoxTypeProvider
>;

const SHARED_SCHEMAS = [
  Problem,
  ActionFilterSchema,
  FilterSchema,
  MediaOut,
  MediaHit,
  UploadMetadata,
  UploadOut,
  TagOptionOut,
  TagHitSchema,
  ActionOut,
  WrittenAction,
  KeyOut,
  ClipOut,
  CollectionOut,
  DetailFieldOut,
  DestinationOut,
  DeliveryOut,
  BatchOut,
  OperationOut,
  RuleOut,
  RuleRunOut,
  SavedSearchOut,
  ImageKeyOut,
  ImagePresetOut,
  WatermarkOut,
  WebhookOut,
  WebhookMessageOut,
];

function createInstance(deps: ApiDeps): Api {
  // Named by Fastify's own type: the instance is typed by it.
  const loggerInstance: FastifyBaseLogger = deps.logger;
  return fastify({
    loggerInstance,
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: () => newRequestId(),
    requestIdHeader: false,
    trustProxy: deps.settings.trustProxy.length === 0 ? false : [...deps.settings.trustProxy],
    // JSON bodies only; uploads are streamed and have a limit of their own.
    bodyLimit: 4 * MIB,
    // Headers must arrive soon; a body may take its time, but not for ever (a 10 GB upload at 3 MB/s takes an hour).
    requestTimeout: 120 * MINUTE_MS,
    connectionTimeout: 10 * MINUTE_MS,
    keepAliveTimeout: 72 * SECOND_MS,
    forceCloseConnections: 'idle',
    return503OnClosing: true,
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: 300 },
    exposeHeadRoutes: true,
    onProtoPoisoning: 'error',
    onConstructorPoisoning: 'error',
    frameworkErrors: sendFrameworkError,
    clientErrorHandler: answerClientError,
  }).withTypeProvider<TypeBoxTypeProvider>();
}

/** Bodies are JSON, a PATCH may say that it is a merge patch; a DELETE that announces JSON and sends nothing is fine. */
function registerJsonBodies(app: Api): void {
  const parse = app.getDefaultJsonParser('error', 'error');
  app.removeAllContentTypeParsers();
  app.addContentTypeParser<string>(
    ['application/json', 'application/merge-patch+json'],
    { parseAs: 'string' },
    (request, body, done) => {
      if (body === '') done(null, undefined);
      else void parse(request, body, done);
    },
  );
}

/** A connection that is kept alive after its last answer would hold up a stop until it times out. */
function registerDraining(app: Api): void {
  let closing = false;
  app.addHook('preClose', async () => {
    closing = true;
  });
  app.addHook('onSend', async (_request, reply, payload: unknown) => {
    if (closing) reply.header('Connection', 'close');
    return payload;
  });
}

function registerRequestLog(app: Api, deps: ApiDeps): void {
  app.addHook('onRequest', async (request, reply) => {
    reply.header('X-Request-Id', request.id);
    reply.header('X-Content-Type-Options', 'nosniff');
    reply.header('Referrer-Policy', 'no-referrer');
  });
  app.addHook('onSend', async (_request, reply, payload: unknown) => {
    const type = String(reply.getHeader('content-type') ?? '');
    if (type.includes('json') && reply.getHeader('cache-control') === undefined)
      reply.header('Cache-Control', 'no-store');
    return payload;
  });
  app.addHook('onResponse', async (request, reply) => {
    const route = request.routeOptions.url ?? 'unmatched';
    const gone = request.raw.destroyed && !reply.raw.writableEnded;
    const status = gone ? 499 : reply.statusCode;
    deps.metrics.observeRequest({ method: request.method, route, status, seconds: reply.elapsedTime / SECOND_MS });
    deps.logger.info({
      event: 'request',
      requestId: request.id,
      method: request.method,
      url: shownUrl(request.url),
      status,
      tookMs: Math.round(reply.elapsedTime * 10) / 10,
      ...(request.principal && {
        organizationId: request.principal.scope.organizationId,
        key: request.principal.key.publicId,
      }),
    });
  });
}

/** The HTTP service over its dependencies; not listening yet. */
export async function createServer(deps: ApiDeps): Promise<Api> {
  const app = createInstance(deps);
  app.setValidatorCompiler(createValidatorCompiler(SHARED_SCHEMAS));
  app.setSchemaErrorFormatter((errors) => toAppError(errors[0]));
  for (const schema of SHARED_SCHEMAS) app.addSchema(schema);
  registerSerialization(app);
  registerErrors(app);
  registerJsonBodies(app);
  registerRequestLog(app, deps);
  registerDraining(app);
  await app.register(swagger, openApiOptions({ version: deps.settings.version, publicUrl: deps.settings.publicUrl }));
  await app.register(multipart, {
    limits: { fileSize: deps.settings.maxUploadBytes, files: 2, fields: 10, parts: 12, fieldSize: MIB },
    throwFileSizeLimit: true,
  });
  registerPrincipal(app, { authenticator: deps.authenticator, rateLimiter: createRateLimiter(deps.clock) });
  registerIdempotency(app, deps);
  await app.register(swaggerUi, {
    routePrefix: '/docs',
    uiConfig: { docExpansion: 'list', deepLinking: true },
    theme: {
      title: 'Touchline API',
      css: [{ filename: 'theme.css', content: '.swagger-ui .topbar { display: none }' }],
    },
    // Its own policy asks browsers for https, which an installation in a local network may not have.
    staticCSP: "default-src 'self'; img-src 'self' data:; object-src 'none'; base-uri 'self'; frame-ancestors 'self'",
  });
  app.register(async (scope) => {
    const api = scope as Api;
    registerOperationsRoutes(api, deps);
    registerUsageRoutes(api, deps);
    registerErrorDocs(api);
    registerKeyRoutes(api, deps);
    registerTagRoutes(api, deps);
    registerCollectionRoutes(api, deps);
    registerDetailFieldRoutes(api, deps);
    registerMediaBulkRoutes(api, deps);
    registerBulkOperationRoutes(api, deps);
    registerUploadRoutes(api, deps);
    registerResumableUploads(api, deps);
    registerMediaImportRoutes(api, deps);
    registerSearchRoutes(api, deps);
    registerSavedSearchRoutes(api, deps);
    registerMediaRoutes(api, deps);
    registerMediaTagRoutes(api, deps);
    registerActionRoutes(api, deps);
    registerActionSearchRoutes(api, deps);
    registerClipRoutes(api, deps);
    registerClipFileRoutes(api, deps);
    registerDestinationRoutes(api, deps);
    registerDeliveryRoutes(api, deps);
    registerDeliveryFileRoutes(api, deps);
    registerRuleRoutes(api, deps);
    registerDeliveryBatchRoutes(api, deps);
    registerEventRoutes(api, deps);
    registerEventStreamRoutes(api, deps);
    registerWebhookRoutes(api, deps);
    registerWebhookMessageRoutes(api, deps);
    registerFaceRoutes(api, deps);
    registerActionFiles(api, deps);
    registerFaceSettingsRoutes(api, deps);
    registerImageSettingsRoutes(api, deps);
    registerImagePresetRoutes(api, deps);
    registerWatermarkRoutes(api, deps);
    registerDownloadRoutes(api, deps);
    registerFileRoutes(api, deps);
    registerImageRoutes(api, deps);
    const { webFolder: folder, publicUrl, mediaUrl } = deps.settings;
    registerWeb(api, { folder, publicUrl, mediaUrl });
  });
  await app.ready();
  return app;
}
