import { cp, mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type App, openApp } from '../../src/app.ts';
import { generateKeyText, hashKeyText, insertKey, SCOPES, type Scope, scopeOf } from '../../src/auth/index.ts';
import { createLogger } from '../../src/base/index.ts';
import { readConfig } from '../../src/config.ts';
import { insertOrganization } from '../../src/library/index.ts';
import { createTestDatabase } from './database.ts';

export type Json = { readonly [name: string]: any };
export type Answer = { readonly status: number; readonly headers: Headers; readonly body: Json };

export type KeyOptions = {
  readonly organizationId?: number;
  readonly scopes?: readonly Scope[];
  readonly cidrs?: readonly string[];
  readonly expiresAt?: Date;
  readonly requestsPerSecond?: number;
  readonly burst?: number;
};

export type TestApp = {
  readonly app: App;
  readonly url: string;
  readonly dataDir: string;
  /** A key of the first organization with every scope. */
  readonly key: string;
  readonly organizationId: number;
  readonly log: () => string;
  createOrganization(slug: string): Promise<number>;
  createKey(options?: KeyOptions): Promise<string>;
  /** One request; JSON bodies and answers; `key: null` sends none. */
  call(method: string, path: string, options?: CallOptions): Promise<Answer>;
  upload(bytes: Uint8Array, options?: UploadOptions): Promise<Answer>;
  /** Ends the service and leaves what it has written, to be copied. */
  stop(): Promise<PreparedLibrary>;
  close(): Promise<void>;
};
export type CallOptions = {
  readonly key?: string | null;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
};
export type UploadOptions = {
  readonly name?: string;
  readonly metadata?: object;
  readonly wait?: boolean;
  readonly key?: string;
  readonly headers?: Readonly<Record<string, string>>;
};

export async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  if (address === null || typeof address === 'string') throw new Error('no port');
  return address.port;
}

async function readAnswer(response: Response): Promise<Answer> {
  const text = await response.text();
  const isJson = (response.headers.get('content-type') ?? '').includes('json');
  return {
    status: response.status,
    headers: response.headers,
    body: isJson && text !== '' ? (JSON.parse(text) as Json) : { text },
  };
}

/** A library that was made before and is copied: its database, data folder, first organization and a key of it. */
export type PreparedLibrary = {
  readonly database: string;
  readonly dataDir: string;
  readonly organizationId: number;
  readonly key: string;
};

/** The whole service on a database and a data folder of its own, listening on a free port; empty, or a copy. */
export async function startApp(
  env: Readonly<Record<string, string>> = {},
  prepared?: PreparedLibrary,
): Promise<TestApp> {
  const database = await createTestDatabase(prepared?.database);
  const dataDir = await mkdtemp(join(tmpdir(), 'touchline-app-'));
  if (prepared) await cp(prepared.dataDir, dataDir, { recursive: true });
  const lines: string[] = [];
  const logger = createLogger({ level: 'debug', destination: { write: (line) => void lines.push(line) } });
  const port = await freePort();
  const config = readConfig({
    PATH: process.env['PATH'],
    PORT: String(port),
    DATA_DIR: dataDir,
    DATABASE_URL: database.url,
    SHUTDOWN_SECONDS: '5',
    ...env,
  });
  const app = await openApp(config, logger, '0.0.0-test');
  const { db } = app.installation;

  const createKey = async (options: KeyOptions = {}): Promise<string> => {
    const { text, publicId } = generateKeyText();
    await insertKey(db, scopeOf(options.organizationId ?? organizationId), {
      publicId,
      secretSha256: hashKeyText(text),
      name: 'test',
      scopes: options.scopes ?? SCOPES,
      cidrs: options.cidrs ?? [],
      expiresAt: options.expiresAt ?? null,
      requestsPerSecond: options.requestsPerSecond ?? 10_000,
      burst: options.burst ?? 10_000,
    });
    return text;
  };
  const createOrganization = async (slug: string) => (await insertOrganization(db, { slug, name: slug })).id;
  const organizationId = prepared?.organizationId ?? (await createOrganization('first'));
  const key = prepared?.key ?? (await createKey());

  const headersOf = (given: string | null | undefined): Record<string, string> =>
    given === null ? {} : { 'X-Api-Key': given ?? key };
  return {
    app,
    url: app.url,
    dataDir,
    key,
    organizationId,
    log: () => lines.join(''),
    createOrganization,
    createKey,
    async call(method, path, options = {}) {
      const json = options.body === undefined ? {} : { 'Content-Type': 'application/json' };
      const response = await fetch(app.url + path, {
        method,
        redirect: 'manual',
        headers: { ...headersOf(options.key), ...json, ...options.headers },
        ...(options.body === undefined
          ? {}
          : { body: typeof options.body === 'string' ? options.body : JSON.stringify(options.body) }),
      });
      return readAnswer(response);
    },
    async upload(bytes, options = {}) {
      const form = new FormData();
      if (options.metadata) form.append('metadata', JSON.stringify(options.metadata));
      form.append('file', new Blob([new Uint8Array(bytes)]), options.name ?? 'photo.jpg');
      const prefer: Record<string, string> = options.wait === false ? {} : { Prefer: 'wait=30' };
      const response = await fetch(`${app.url}/v1/media`, {
        method: 'POST',
        headers: { ...headersOf(options.key), ...prefer, ...options.headers },
        body: form,
      });
      return readAnswer(response);
    },
    async stop() {
      await app.close();
      return { database: database.name, dataDir, organizationId, key };
    },
    async close() {
      await app.close();
      await database.drop();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}
