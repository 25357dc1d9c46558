/**
 * The library screen on a large library, in Chromium: how soon first results are there, how quickly typing answers, and how
 * evenly it scrolls. `node bench/web/run.ts [assets] [options]`; the UI has to be built (`node scripts/setup.mjs`).
 *
 *   --data-dir=<folder>   keeps the library there and uses it again (made as by bench/search/generate.ts --complete)
 *   --headed              shows the window
 *
 * The generated library has no files: each picture is one of the sample's, answered by the browser's own interception.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { type BrowserContext, chromium, type Page } from 'playwright-core';
import sharp from 'sharp';
import { freePort } from '../../test/support/app.ts';
import { findBrowser } from '../../test/support/chromium.ts';
import { createBenchKey } from '../search/bench-key.ts';
import { openDataFolder } from '../search/data-folder.ts';
import { percentiles, quantile } from '../search/statistics.ts';
import { measureScrolling, type Scrolling } from './scrolling.ts';

const print = (line: string): void => void process.stdout.write(`${line}\n`);
const SAMPLE_PHOTOS = join(import.meta.dirname, '..', '..', 'sample', 'photos');
const MAIN = join(import.meta.dirname, '..', '..', 'src', 'main.ts');
const PICTURES = 24;
const UNTIL_MS = 30_000;
const WORDS = ['goal', 'celebration', 'corner', 'training'];

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { 'data-dir': { type: 'string' }, headed: { type: 'boolean', default: false } },
});
const assets = Number(positionals[0] ?? 1_000_000);

async function samplePictures(): Promise<readonly Buffer[]> {
  const names = (await readdir(SAMPLE_PHOTOS)).filter((name) => /\.jpe?g$/i.test(name)).slice(0, PICTURES);
  return Promise.all(
    names.map(async (name) =>
      sharp(await readFile(join(SAMPLE_PHOTOS, name)))
        .resize(480, 480, { fit: 'inside' })
        .jpeg()
        .toBuffer(),
    ),
  );
}

async function answerPictures(context: BrowserContext): Promise<void> {
  const pictures = await samplePictures();
  await context.route('**/file/**', (route) => {
    const id = Number(new URL(route.request().url()).pathname.split('/')[3] ?? 0);
    const body = pictures[id % pictures.length] ?? Buffer.alloc(0);
    return route.fulfill({ body, contentType: 'image/jpeg', headers: { 'Cache-Control': 'max-age=3600' } });
  });
}

async function startService(dataDir: string): Promise<{ readonly url: string; stop(): Promise<void> }> {
  const port = await freePort();
  const env = { PATH: process.env['PATH'], DATA_DIR: dataDir, PORT: String(port), SAMPLE: '0', LOG_LEVEL: 'warn' };
  const child = spawn(process.execPath, [MAIN, 'serve'], { env, stdio: ['ignore', 'pipe', 'inherit'] });
  let output = '';
  child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
  while (!output.includes('Ctrl-C stops it')) {
    if (child.exitCode !== null) throw new Error(`the service ended with ${child.exitCode}: ${output}`);
    await delay(50);
  }
  const stop = async () => {
    const ended = once(child, 'exit');
    child.kill('SIGINT');
    await ended;
  };
  return { url: `http://localhost:${port}`, stop };
}

/** The index in memory is loaded by the first search; until then PostgreSQL answers. */
async function untilLoaded(url: string, key: string): Promise<void> {
  const headers = { 'X-Api-Key': key, 'Content-Type': 'application/json' };
  await fetch(`${url}/v1/media/search`, { method: 'POST', headers, body: '{"limit":1}' });
  for (;;) {
    const metrics = await (await fetch(`${url}/metrics`)).text();
    if (/^touchline_search_index_bytes\{.*\} [1-9]/m.test(metrics)) return;
    await delay(200);
  }
}

/** The policy of the page refuses to be asked by itself (`waitForFunction`). */
async function until(page: Page, condition: string): Promise<void> {
  const endMs = performance.now() + UNTIL_MS;
  while (!(await page.evaluate<boolean>(condition))) {
    if (performance.now() > endMs) throw new Error(`expected within ${UNTIL_MS / 1000} s: ${condition}`);
    await delay(10);
  }
}

async function coldLoad(page: Page): Promise<{ readonly paintMs: number; readonly resultMs: number }> {
  await page.reload();
  await page.getByRole('option').first().waitFor();
  return page.evaluate(`({
    paintMs: performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? 0,
    resultMs: window.firstResultMs,
  })`);
}

/** From each letter to the answer of the search that it asked for, as the page sees it. */
async function typeWords(page: Page): Promise<readonly number[]> {
  const tookMs: number[] = [];
  page.on('response', (response) => {
    const body = response.request().postData() ?? '';
    if (response.url().endsWith('/v1/media/search') && body.includes('"limit":60')) {
      tookMs.push(response.request().timing().responseStart);
    }
  });
  const box = page.getByRole('combobox', { name: 'Search the library' });
  for (const word of WORDS) {
    await box.fill('');
    await box.pressSequentially(word, { delay: 150 });
    await until(page, `document.querySelector('.library-results').ariaBusy === 'false'`);
  }
  await box.fill('');
  return tookMs.filter((one) => one > 0);
}

const ms = (value: number): string => `${value.toFixed(0)} ms`;
function describe(name: string, { frames, longTasks }: Scrolling): void {
  const slow = longTasks.length === 0 ? 'none' : `${longTasks.length}, the longest ${ms(Math.max(...longTasks))}`;
  print(`${name}: frames ${percentiles(frames)} ms (p50, p95, p99), tasks over 50 ms: ${slow}`);
}

const folder = await openDataFolder(values['data-dir'], { assets, complete: true, actions: false });
const key = await createBenchKey(folder.path);
const service = await startService(folder.path);
const executablePath = findBrowser();
if (executablePath === undefined) throw new Error('expected chromium on the PATH, received none');
const browser = await chromium.launch({
  executablePath,
  headless: !values.headed,
  args: ['--no-sandbox', '--disable-gpu'],
});
try {
  await untilLoaded(service.url, key);
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 } });
  await context.addInitScript(`
    sessionStorage.setItem('touchline.key', ${JSON.stringify(key)});
    new MutationObserver(() => {
      if (window.firstResultMs === undefined && document.querySelector('[role=option]')) window.firstResultMs = performance.now();
    }).observe(document, { childList: true, subtree: true });
  `);
  await answerPictures(context);
  const page = await context.newPage();
  await page.goto(service.url);
  for (let run = 1; run <= 3; run += 1) {
    const { paintMs, resultMs } = await coldLoad(page);
    print(`load ${run}: first paint ${ms(paintMs)}, first results ${ms(resultMs)}`);
  }
  const typed = await typeWords(page);
  print(
    `search as you type: ${typed.length} answers, ${ms(quantile(typed, 0.5))} / ${ms(quantile(typed, 0.95))} (p50 / p95)`,
  );
  // Without the words that were typed.
  await page.goto(service.url);
  await page.getByRole('option').first().waitFor();
  const startedMs = performance.now();
  await page.evaluate(
    `{ const grid = document.querySelector('.library-grid'); grid.scrollTop = grid.scrollHeight / 2; }`,
  );
  await until(
    page,
    `[...document.querySelectorAll('[role=option]')].some((one) => Number(one.dataset.index) > ${assets * 0.4})`,
  );
  print(`leap to the middle by the scrollbar: ${ms(performance.now() - startedMs)}`);
  describe('wheel, 120 px each 16 ms', await measureScrolling(page, { stepPx: 120, steps: 200 }));
  describe('wheel, 600 px each 16 ms', await measureScrolling(page, { stepPx: 600, steps: 150 }));
  describe('wheel upwards, 400 px', await measureScrolling(page, { stepPx: -400, steps: 150 }));
  describe('wheel, 3,000 px each 16 ms', await measureScrolling(page, { stepPx: 3000, steps: 80 }));
} finally {
  await browser.close();
  await service.stop();
  await folder.remove();
}
