import type { FastifyDynamicSwaggerOptions, SwaggerTransformObject } from '@fastify/swagger';
import type { FastifyContextConfig, FastifySchema } from 'fastify';
import { tidy } from './openapi-tidy.ts';
import { operationIdOf } from './operation-ids.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Schema of a multipart body, for the document only: its parts are read and validated as they arrive. */
    parts?: object;
    /** Bodies by content type, for the document only: the route reads and validates them itself. */
    bodies?: Readonly<Record<string, { readonly schema: object }>>;
    /** Headers that the route reads itself, for the document only. */
    requestHeaders?: Readonly<Record<string, object>>;
    /** The route answers later with `Prefer: wait`. */
    waits?: true;
    /** The route reads the library at the version that `X-Library-Version` names. */
    readsVersion?: true;
  }
}

type DescribedRoute = {
  readonly method: string | string[];
  readonly config?: FastifyContextConfig;
};

/** Request headers that routes take beside the key; read by plugins, so they are in the document only. */
function headersOf(schema: FastifySchema, config: FastifyContextConfig): object | undefined {
  // Routes write their answers as an object by status.
  const answers = schema.response as Readonly<Record<string, unknown>> | undefined;
  const properties = {
    ...config.requestHeaders,
    ...(config.idempotent && {
      'Idempotency-Key': {
        type: 'string',
        maxLength: 255,
        description: 'The first 2xx answer is kept for 24 h and answered again to the same request',
      },
    }),
    ...(answers?.['412'] !== undefined &&
      config.requestHeaders === undefined && {
        'If-Match': { type: 'string', description: 'ETag of the object as it was read; 412 when it has changed since' },
      }),
    ...(config.readsVersion && {
      'X-Library-Version': {
        type: 'string',
        description: 'Of an earlier answer: sees the library at that version or a later one, on whatever node',
      },
    }),
    ...((config.parts ?? config.waits) && {
      Prefer: { type: 'string', description: 'wait=30: answer when it is ready or failed, after 30 s at most' },
    }),
  };
  return Object.keys(properties).length === 0 ? undefined : { type: 'object', properties };
}

const ANSWERS: Readonly<Record<string, string>> = { 200: 'Done', 201: 'Created', 202: 'Accepted' };

function answersOf(schema: FastifySchema): object {
  const answers = (schema.response ?? {}) as Readonly<Record<string, object>>;
  return Object.fromEntries(
    Object.entries(answers).map(([status, answer]) => [
      status,
      'description' in answer || ANSWERS[status] === undefined || '$ref' in answer
        ? answer
        : { ...answer, description: ANSWERS[status] },
    ]),
  );
}

/** What a route's schema does not say but its method, path and config do. */
function described(schema: FastifySchema, route: DescribedRoute, url: string): FastifySchema {
  const config = route.config ?? {};
  const [method = 'GET'] = [route.method].flat();
  const query = schema.querystring as { properties?: Readonly<Record<string, unknown>> } | undefined;
  const isPaged = query?.properties?.['limit'] !== undefined;
  const operationId = schema.operationId ?? operationIdOf({ method, url, isPaged });
  const headers = headersOf(schema, config);
  const common: FastifySchema = {
    ...schema,
    operationId,
    response: answersOf(schema),
    ...(headers && { headers }),
    ...(config.parts && { body: config.parts }),
    ...(config.bodies && { body: { content: config.bodies } }),
  };
  const { scopes } = config;
  if (!scopes) return common;
  const security = [{ ApiKeyHeader: [] }, { ApiKeyQuery: [] }, { Bearer: [] }];
  const needs = scopes.length === 0 ? 'Any valid key.' : `Scope: ${scopes.join(', ')}.`;
  return { ...common, description: [schema.description, needs].filter(Boolean).join(' '), security };
}

/** The OpenAPI 3.1 document is generated from the schemas that validate requests and serialise answers. */
export function openApiOptions(options: {
  readonly version: string;
  readonly publicUrl: string;
}): FastifyDynamicSwaggerOptions {
  return {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'Touchline',
        version: options.version,
        description:
          'Media library of a sports organization: search photos and videos by player, club, stadium, competition and match, ' +
          'show them cropped on the right face by URL. A key belongs to one organization and sees nothing else. ' +
          'Errors are application/problem+json; their codes are listed in docs/errors.md.',
        license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
      },
      servers: [{ url: options.publicUrl }],
      tags: [
        { name: 'media', description: 'Photos and videos: upload, read, change, search' },
        {
          name: 'tags',
          description: 'Players, clubs, stadiums, competitions, seasons, matches, sponsors and free tags',
        },
        { name: 'actions', description: 'What happens in videos, at a time: goals, saves, interviews' },
        { name: 'collections', description: 'Named sets of assets' },
        { name: 'detail fields', description: "Fields of an organization's own in details" },
        { name: 'clips', description: 'Clips and reels cut from videos' },
        { name: 'deliveries', description: 'Where files are sent, and their way there' },
        { name: 'rules', description: 'What is done by itself when something happens' },
        { name: 'saved searches', description: 'Searches kept under a name' },
        { name: 'images', description: 'Who may have which images by URL; presets, watermarks, keys to sign with' },
        { name: 'files', description: 'Files and images by URL, without a key' },
        { name: 'events', description: 'What has changed in the library, in order' },
        { name: 'webhooks', description: 'Addresses that events are posted to' },
        { name: 'keys', description: 'API keys and what they may do' },
        { name: 'operations', description: 'Edits of many assets that run on; health and figures' },
      ],
      components: {
        securitySchemes: {
          ApiKeyHeader: { type: 'apiKey', in: 'header', name: 'X-Api-Key' },
          ApiKeyQuery: { type: 'apiKey', in: 'query', name: 'api_key' },
          Bearer: { type: 'http', scheme: 'bearer' },
        },
      },
    },
    refResolver: {
      // The names of schemas in the document are the $id they were given.
      buildLocalReference: (json, _base, _fragment, index) =>
        typeof json['$id'] === 'string' ? json['$id'] : `Schema${index}`,
    },
    transform: ({ schema, url, route }) => ({
      schema: schema === undefined || schema.hide === true ? { hide: true } : described(schema, route, url),
      url,
    }),
    transformObject: (document) =>
      // Tidying keeps the shape of the document.
      tidy('openapiObject' in document ? document.openapiObject : {}) as ReturnType<SwaggerTransformObject>,
  };
}
