/**
 * Writes web/src/api/schema.d.ts, the types of the API that the browser UI is written against, from the OpenAPI document of
 * this checkout's service: `npm run web:client`. The service runs for a moment on a folder of its own.
 */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openApp } from '../src/app.ts';
import { createLogger } from '../src/base/index.ts';
import { readConfig } from '../src/config.ts';
import { formatted } from './web-client/format.ts';
import { type OpenApiDocument, typesOf } from './web-client/types.ts';

const ROOT = join(import.meta.dirname, '..');
const TARGET = join(ROOT, 'web', 'src', 'api', 'schema.d.ts');

async function readDocument(): Promise<OpenApiDocument> {
  const dataDir = await mkdtemp(join(tmpdir(), 'touchline-client-'));
  try {
    const config = readConfig({ PATH: process.env['PATH'], PORT: process.env['PORT'] ?? '18123', DATA_DIR: dataDir });
    const app = await openApp(config, createLogger({ level: 'error' }), '0.0.0');
    try {
      const answer = await fetch(`${app.url}/v1/openapi.json`);
      // The service's own document; the types are refused below where it holds anything unexpected.
      return (await answer.json()) as OpenApiDocument;
    } finally {
      await app.close();
    }
  } finally {
    await rm(dataDir, { recursive: true, force: true });
  }
}

await writeFile(TARGET, formatted(typesOf(await readDocument())));
