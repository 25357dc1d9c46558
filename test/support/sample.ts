import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { inject, vi } from 'vitest';
import { loadSample } from '../../src/cli/sample.ts';
import { type PreparedLibrary, startApp, type TestApp } from './app.ts';

const SAMPLE = join(import.meta.dirname, '..', '..', 'sample');
/** Photos, faces and videos on a machine that does other things meanwhile. */
const LIMIT_MS = 400_000;

/** Progress is of no interest here. */
function quiet(): NodeJS.WriteStream {
  // The reporter asks only whether it is a terminal, and writes.
  return Object.assign(new PassThrough().resume(), { isTTY: false }) as unknown as NodeJS.WriteStream;
}

async function makeSample(): Promise<PreparedLibrary> {
  const service = await startApp();
  await loadSample({
    baseUrl: service.url,
    apiKey: service.key,
    sampleFolder: SAMPLE,
    stdout: quiet(),
    signal: AbortSignal.timeout(LIMIT_MS),
  });
  const isReady = async () => {
    const body = { status: { ne: 'ready' }, limit: 0 };
    const answer = await service.call('POST', '/v1/media/search', { body });
    return answer.body['total'] === 0;
  };
  await vi.waitUntil(isReady, { timeout: LIMIT_MS, interval: 300 });
  return service.stop();
}

/** Made once a run, by whoever needs it first; the others wait for it. */
async function prepared(): Promise<PreparedLibrary> {
  const folder = join(inject('runFolder'), 'sample');
  const done = join(folder, 'done.json');
  const isFirst = await mkdir(folder).then(
    () => true,
    () => false,
  );
  if (isFirst) {
    const outcome = await makeSample().catch((error: unknown) => ({ failure: String(error) }));
    await writeFile(`${done}.new`, JSON.stringify(outcome));
    await rename(`${done}.new`, done);
  }
  const read = async () => {
    const text = await readFile(done, 'utf8').catch(() => '');
    // Written above.
    return text === '' ? undefined : (JSON.parse(text) as PreparedLibrary | { readonly failure: string });
  };
  const outcome = await vi.waitUntil(read, { timeout: LIMIT_MS, interval: 200 });
  if ('failure' in outcome) throw new Error(`the sample library was not made: ${outcome.failure}`);
  return outcome;
}

/** The service with the sample library, every asset of it ready. */
export async function startSample(env: Readonly<Record<string, string>> = {}): Promise<TestApp> {
  return startApp(env, await prepared());
}
