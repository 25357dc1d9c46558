import type { FastifyDynamicSwaggerOptions } from '@fastify/swagger';

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
        { name: 'collections', description: 'Named sets of assets' },
        { name: 'files', description: 'Files and images by URL, without a key' },
        { name: 'keys', description: 'API keys and what they may do' },
        { name: 'operations', description: 'Health and figures' },
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
    transform: ({ schema, url, route }) => {
      const scopes = route.config?.scopes;
      if (!scopes) return { schema: schema ?? { hide: true }, url };
      const security = [{ ApiKeyHeader: [] }, { ApiKeyQuery: [] }, { Bearer: [] }];
      const needs = scopes.length === 0 ? 'Any valid key.' : `Scope: ${scopes.join(', ')}.`;
      const description = [schema?.description, needs].filter(Boolean).join(' ');
      return { schema: { ...schema, description, security }, url };
    },
  };
}
