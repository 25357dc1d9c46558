import { Validator } from '@seriousme/openapi-schema-validator';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Json, startApp, type TestApp } from '../support/app.ts';

type Schema = {
  readonly deprecated?: boolean;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly $ref?: string;
};
type Operation = {
  readonly operationId: string;
  readonly summary: string;
  readonly description?: string;
  readonly tags: readonly string[];
  readonly security?: readonly Readonly<Record<string, readonly string[]>>[];
  readonly parameters?: readonly {
    readonly name: string;
    readonly in: string;
    readonly required?: boolean;
    readonly schema?: { readonly default?: unknown };
  }[];
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: Schema }>> };
  readonly responses: Readonly<
    Record<string, { readonly description: string; readonly content?: Record<string, unknown> }>
  >;
};
type Document = {
  readonly openapi: string;
  readonly servers: readonly { readonly url: string }[];
  readonly tags: readonly { readonly name: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: {
    readonly schemas: Readonly<Record<string, Schema>>;
    readonly securitySchemes: Readonly<Record<string, unknown>>;
  };
};

let service: TestApp;
let document: Document;
/** `[method, path, operation]` of the whole document. */
let operations: (readonly [string, string, Operation])[];
beforeAll(async () => {
  service = await startApp();
  const { body } = await service.call('GET', '/v1/openapi.json', { key: null });
  // The validator below checks that it is one.
  document = body as Document;
  operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => [method.toUpperCase(), path, operation] as const),
  );
});
afterAll(() => service.close());

/** Every literal `/v1/...` path in the sources of the routes, as the document writes it. */
async function pathsInSources(): Promise<Set<string>> {
  const folder = join(import.meta.dirname, '..', '..', 'src', 'api', 'routes');
  const paths = new Set<string>();
  for (const name of await readdir(folder)) {
    const source = await readFile(join(folder, name), 'utf8');
    for (const [, path = ''] of source.matchAll(/['"`](\/v1\/[^'"`$\s]*)['"`]/g)) {
      paths.add(path.replaceAll(/:([A-Za-z]+)/g, '{$1}'));
    }
  }
  return paths;
}

test('the document is valid OpenAPI 3.1', async () => {
  expect(document.openapi).toMatch(/^3\.1\./);
  const copy = structuredClone(document);
  const result = await new Validator().validate(copy);
  expect(result).toEqual({ valid: true });
});

test('every route of the service is in the document', async () => {
  const paths = await pathsInSources();
  expect(paths.size).toBeGreaterThan(12);
  for (const path of paths) expect(Object.keys(document.paths)).toContain(path);
});

test('every method that the service answers at a path is in the document', async () => {
  for (const [path, methods] of Object.entries(document.paths)) {
    const url = path.replaceAll(/\{[^}]+\}/g, '1');
    const { headers, status } = await service.call('REPORT', url);
    expect(status, path).toBe(405);
    // A HEAD that comes with a GET is not described; one of its own is.
    const allowed = (headers.get('allow') ?? '')
      .split(', ')
      .filter((method) => method !== 'HEAD' || methods['head'] !== undefined);
    expect(allowed, path).toEqual(
      Object.keys(methods)
        .map((method) => method.toUpperCase())
        .toSorted(),
    );
  }
});

describe('every operation', () => {
  test('has a name of its own for generated clients', () => {
    const names = operations.map(([, , operation]) => operation.operationId);
    for (const name of names) expect(name).toMatch(/^[a-z]+([A-Z][a-z]+)+$/);
    expect(new Set(names).size).toBe(names.length);
    expect(names).toEqual(
      expect.arrayContaining([
        'searchMedia',
        'createMedia',
        'getMedia',
        'searchTags',
        'listTags',
        'createTag',
        'mergeTag',
        'getMe',
      ]),
    );
  });

  test('asks for nothing that has a default', () => {
    const given = operations.flatMap(([, path, { parameters = [] }]) =>
      parameters
        .filter((one) => one.required === true && one.schema?.default !== undefined)
        .map(({ name }) => [path, name]),
    );
    expect(given).toEqual([]);
    const paged = document.paths['/v1/tag/search']?.['get']?.parameters?.find(({ name }) => name === 'limit');
    expect(paged).toMatchObject({ in: 'query', schema: { default: 50 } });
  });

  test('names null among the values of what may be null', () => {
    const isRefusing = (schema: Json): boolean =>
      Array.isArray(schema['enum']) && [schema['type']].flat().includes('null') && !schema['enum'].includes(null);
    const find = (value: unknown): Json[] =>
      typeof value !== 'object' || value === null
        ? []
        : [...(isRefusing(value) ? [value as Json] : []), ...Object.values(value).flatMap(find)];
    expect(find(document)).toEqual([]);
    expect(isRefusing({ type: ['string', 'null'], enum: ['a'] })).toBe(true);
  });

  test('has a summary and a known group', () => {
    const groups = document.tags.map((tag) => tag.name);
    for (const [method, path, { summary, tags }] of operations) {
      expect(summary, `${method} ${path}`).toMatch(/^[A-Z].{5,}[^.]$/);
      expect(tags, `${method} ${path}`).toHaveLength(1);
      expect(groups, `${method} ${path}`).toContain(tags[0]);
    }
  });

  test('under /v1 takes the key in each of its places and tells the scope, but for the document itself', () => {
    const schemes = Object.keys(document.components.securitySchemes);
    expect(schemes).toEqual(['ApiKeyHeader', 'ApiKeyQuery', 'Bearer']);
    for (const [method, path, operation] of operations) {
      const isOpen = !path.startsWith('/v1/') || path === '/v1/openapi.json';
      if (isOpen) expect(operation.security, `${method} ${path}`).toBeUndefined();
      else {
        expect(operation.security, `${method} ${path}`).toEqual(schemes.map((scheme) => ({ [scheme]: [] })));
        expect(operation.description, `${method} ${path}`).toMatch(/Scope: |Any valid key\./);
      }
    }
  });

  test('under /v1 describes its success and its refusals as problem documents', () => {
    for (const [method, path, { responses, parameters = [], security }] of operations) {
      if (!path.startsWith('/v1/')) continue;
      const at = `${method} ${path}`;
      const statuses = Object.keys(responses);
      expect(
        statuses.filter((status) => status.startsWith('2')),
        at,
      ).not.toHaveLength(0);
      if (security) expect(statuses, at).toEqual(expect.arrayContaining(['400', '401', '403', '429', '503']));
      if (parameters.some((one) => one.in === 'path')) expect(statuses, at).toContain('404');
      for (const [status, answer] of Object.entries(responses)) {
        expect(answer.description, `${at} ${status}`).not.toBe('Default Response');
        const types = Object.keys(answer.content ?? {});
        const streamed = path === '/v1/tag/bulk' ? ['application/x-ndjson'] : [];
        const json = path.endsWith('/download')
          ? ['application/octet-stream']
          : path.endsWith('/stream')
            ? ['text/event-stream']
            : ['application/json', ...streamed];
        const success =
          status === '204' || method === 'HEAD' || (path === '/v1/upload/{id}' && method === 'POST') ? [] : json;
        const expected = status >= '400' ? ['application/problem+json'] : success;
        expect(types, `${at} ${status}`).toEqual(expected);
      }
    }
  });

  test('names every part of its path as a required parameter', () => {
    for (const [method, path, { parameters = [] }] of operations) {
      const named = parameters.filter((one) => one.in === 'path' && one.required === true).map((one) => one.name);
      expect(named.toSorted(), `${method} ${path}`).toEqual(
        [...path.matchAll(/\{([^}]+)\}/g)].map(([, name = '']) => name).toSorted(),
      );
    }
  });
});

test('headers that make a retry or a change safe are in the document where they work', () => {
  const withHeader = (name: string) =>
    operations
      .filter(([, , { parameters = [] }]) => parameters.some((one) => one.in === 'header' && one.name === name))
      .map(([, , operation]) => operation.operationId);
  expect(withHeader('Idempotency-Key')).toEqual(
    expect.arrayContaining([
      'createMedia',
      'createTag',
      'bulkTag',
      'createCollection',
      'createSavedSearch',
      'createKey',
    ]),
  );
  expect(withHeader('If-Match')).toEqual(
    expect.arrayContaining([
      'updateMedia',
      'deleteMedia',
      'updateTag',
      'deleteTag',
      'updateCollection',
      'deleteCollection',
      'updateSavedSearch',
      'deleteSavedSearch',
    ]),
  );
  expect(withHeader('X-Library-Version')).toEqual(expect.arrayContaining(['searchMedia', 'searchSavedSearch']));
});

test('the parts of an upload are in the document', () => {
  const body = document.paths['/v1/media']?.['post']?.requestBody;
  const schema = body?.content['multipart/form-data']?.schema;
  expect(Object.keys(schema?.properties ?? {})).toEqual(['metadata', 'file']);
  expect(schema?.properties?.['metadata']).toEqual({ $ref: '#/components/schemas/UploadMetadata' });
});

test('fields kept for existing clients are marked deprecated, and no others are', () => {
  const deprecated = (name: string) =>
    Object.entries(document.components.schemas[name]?.properties ?? {})
      .filter(([, schema]) => schema.deprecated === true)
      .map(([field]) => field);
  const media = ['ID', 'CreatedAt', 'UpdatedAt', 'date', 'thumbnail_url', 'original_url', 'files'];
  expect(deprecated('Media')).toEqual(media);
  expect(deprecated('TagOption')).toEqual(['ID']);
  expect(deprecated('TagHit')).toEqual(['ID']);
});

test('the document holds nothing that only our own validator understands', () => {
  const text = JSON.stringify(document);
  expect(text).not.toMatch(/"expected":"|"\$id"|"~/);
  // A union of constants is one enum.
  expect(text).not.toMatch(/"anyOf":\[\{"type":"string","enum":\["[^"]*"\]\},\{"type":"string","enum"/);
  expect(text).toContain('"enum":["player","club","stadium","competition","season","match","sponsor","tag"]');
});

test('the page at /docs loads everything it needs from the service itself', async () => {
  const get = async (path: string) => {
    const response = await fetch(new URL(path, service.url));
    return { status: response.status, headers: response.headers, text: await response.text() };
  };
  const page = await get('/docs');
  expect(page.status).toBe(200);
  const assets = [...page.text.matchAll(/(?:src|href)="([^"]+)"/g)].map((found) => found[1] ?? '');
  expect(assets.length).toBeGreaterThan(4);
  for (const asset of assets) {
    expect(asset).toMatch(/^\/docs\//);
    expect((await get(asset)).status, asset).toBe(200);
  }
  const initializer = (await get('/docs/static/swagger-initializer.js')).text;
  expect(initializer).toContain('validatorUrl: null');
  expect(initializer).not.toMatch(/https?:\/\/(?!stackoverflow)/);
  const policy = page.headers.get('content-security-policy') ?? '';
  expect(policy).toContain("default-src 'self'");
  expect(policy).not.toMatch(/https?:|swagger\.io|upgrade-insecure-requests/);
  expect(JSON.parse((await get('/docs/json')).text)).toEqual(document);
});
