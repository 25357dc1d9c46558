import { readFile, rm, writeFile } from 'node:fs/promises';
import { once } from 'node:events';
import { join } from 'node:path';
import { type App, openApp } from '../app.ts';
import { createLogger, messageOf } from '../base/index.ts';
import { type Config, readConfig } from '../config.ts';
import { createFirstOrganization, type FirstRun, readFirstRun } from './first-run.ts';
import type { CommandIo } from './io.ts';
import { watchParent } from './parent-watch.ts';
import { findTour, formatTour } from './tour.ts';

const SAMPLE_FOLDER = join(import.meta.dirname, '..', '..', 'sample');
/** Exists while the sample library is being loaded: a start that finds it loads the rest. */
const SAMPLE_MARK = 'sample-loading';

export async function readVersionOfPackage(): Promise<string> {
  const text = await readFile(join(import.meta.dirname, '..', '..', 'package.json'), 'utf8');
  return (JSON.parse(text) as { version: string }).version;
}

async function markExists(config: Config): Promise<boolean> {
  return (await readFile(join(config.dataDir, SAMPLE_MARK), 'utf8').catch(() => undefined)) !== undefined;
}

/** Loads the sample library through the public API, with progress; resumed by the next start when it is interrupted. */
async function loadSampleLibrary(config: Config, app: App, firstRun: FirstRun, io: CommandIo): Promise<void> {
  io.stdout.write('Loading the sample library (2 clubs, 40 players, photos and videos) ...\n');
  const startedMs = performance.now();
  const { loadSample } = await import('./sample.ts');
  await loadSample({
    baseUrl: app.url,
    apiKey: firstRun.api_key,
    sampleFolder: SAMPLE_FOLDER,
    stdout: io.stdout,
    signal: io.signal,
  });
  await rm(join(config.dataDir, SAMPLE_MARK), { force: true });
  io.stdout.write(`Sample library ready after ${((performance.now() - startedMs) / 1000).toFixed(1)} s.\n`);
}

function writeMissing(app: App, io: CommandIo): void {
  for (const { tool, capability, howToGet } of app.missing) {
    io.stdout.write(`Without ${tool}: ${capability} is off. ${howToGet}\n`);
  }
}

/** `touchline serve`: runs until Ctrl-C or SIGTERM, then drains and answers 0. */
export async function runServe(_args: readonly string[], io: CommandIo): Promise<number> {
  const config = readConfig(io.env);
  const startedMs = performance.now();
  const logger = createLogger({ level: config.logLevel ?? (io.stdout.isTTY ? 'warn' : 'info') });
  const stop = new AbortController();
  io.signal.addEventListener('abort', () => stop.abort(), { once: true });
  const app = await openApp(config, logger, await readVersionOfPackage());
  try {
    await watchParent(() => stop.abort(), { env: io.env, signal: stop.signal });
    const mark = join(config.dataDir, SAMPLE_MARK);
    // Before the organization exists, so that a crash right after its creation still loads the sample.
    if (config.sample && !(await readFirstRun(config.dataDir))) await writeFile(mark, '');
    const created = await createFirstOrganization(app.installation.db, {
      dataDir: config.dataDir,
      baseUrl: config.publicUrl,
      sample: config.sample,
    });
    const firstRun = created ?? (await readFirstRun(config.dataDir));
    writeMissing(app, io);
    if (config.sample && firstRun && (await markExists(config))) {
      await loadSampleLibrary(config, app, firstRun, io).catch((error: unknown) => {
        if (!stop.signal.aborted)
          io.stdout.write(`The sample library is not complete (the next start goes on): ${messageOf(error)}\n`);
      });
    }
    if (!stop.signal.aborted) {
      io.stdout.write(
        `\nTouchline runs at ${config.publicUrl} (docs at ${config.publicUrl}/docs), started in ${((performance.now() - startedMs) / 1000).toFixed(1)} s.\n`,
      );
      if (created) {
        io.stdout.write(
          `Organization: ${created.organization}\nAPI key (shown once, kept in ${join(config.dataDir, 'first-run.json')}): ${created.api_key}\n`,
        );
        const tour = await findTour({ baseUrl: app.url, apiKey: created.api_key, signal: stop.signal }).catch(
          () => undefined,
        );
        if (tour) io.stdout.write(formatTour(tour, { baseUrl: config.publicUrl, apiKey: created.api_key }));
      }
      io.stdout.write('\nCtrl-C stops it.\n');
    }
    if (!stop.signal.aborted) await once(stop.signal, 'abort');
    io.stdout.write('Stopping: requests and jobs that run are finished first.\n');
    return 0;
  } finally {
    await app.close();
  }
}
