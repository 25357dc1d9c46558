/** An evening's work at a club without a mouse: what is pressed is what a keyboard has. */
import { mkdir, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Json, startApp } from '../support/app.ts';
import { type BrowserService, openBrowser, type OpenPage } from '../support/browser.ts';
import { findBrowser } from '../support/chromium.ts';
import { plainPhoto, uploadMedia } from '../support/library.ts';

const missing = findBrowser() === undefined ? 'skipped: chromium is missing (apt-get install chromium)' : undefined;
/** More than any screen has. */
const MOST_STOPS = 150;

describe.skipIf(missing !== undefined)(`the keyboard alone${missing === undefined ? '' : ` (${missing})`}`, () => {
  let browser: BrowserService;
  let opened: OpenPage;
  let page: Page;
  let root: string;
  const photos: Buffer[] = [];

  const call = async (method: string, path: string, body?: object): Promise<Json> =>
    (await browser.service.call(method, path, body ? { body } : {})).body;
  const press = (...keys: readonly string[]) =>
    keys.reduce((before, key) => before.then(() => page.keyboard.press(key)), Promise.resolve());
  /** Presses Tab until something has the focus. */
  const tabTo = async (wanted: Locator): Promise<void> => {
    await wanted.first().waitFor();
    for (let stop = 0; stop < MOST_STOPS; stop += 1) {
      if ((await wanted.and(page.locator(':focus')).count()) > 0) return;
      await page.keyboard.press('Tab');
    }
    throw new Error(`expected ${String(wanted)} within ${MOST_STOPS} stops`);
  };
  const pressButton = async (name: string | RegExp, within: Page | Locator = page): Promise<void> => {
    await tabTo(within.getByRole('button', { name, exact: typeof name === 'string' }));
    await press('Enter');
  };
  const type = async (field: string, text: string, within: Page | Locator = page): Promise<void> => {
    await tabTo(within.getByRole('textbox', { name: field, exact: true }));
    await press('Control+A');
    await page.keyboard.type(text);
  };
  const goTo = async (pageName: string): Promise<void> => {
    await tabTo(page.getByRole('link', { name: pageName, exact: true }));
    await press('Enter');
  };

  beforeAll(async () => {
    root = await mkdtemp(join(tmpdir(), 'touchline-keyboard-'));
    await mkdir(join(root, 'press'));
    const service = await startApp({ DELIVERY_FOLDERS: root });
    for (let n = 1; n <= 3; n += 1) {
      photos.push(await plainPhoto(n));
      await uploadMedia(service, photos.at(-1) ?? Buffer.alloc(0), { name: `Tor ${n}.jpg` });
    }
    browser = await openBrowser(service);
    opened = await browser.open('/', { signedIn: false });
    ({ page } = opened);
  });
  afterAll(async () => {
    await opened?.close();
    await browser?.close();
    await browser?.service.close();
    if (root !== undefined) await rm(root, { recursive: true, force: true });
  });

  test('signs in', async () => {
    await tabTo(page.getByLabel('API key'));
    await page.keyboard.type(browser.service.key);
    await press('Enter');
    await page.getByRole('navigation', { name: 'Screens' }).waitFor();
    await expect.poll(() => page.getByRole('option').count()).toBe(3);
  });

  test('makes an API key for the photographers', async () => {
    await press('g', 'a');
    await pressButton('New API key');
    const dialog = page.getByRole('dialog');
    await type('Name', 'Photographers', dialog);
    await pressButton('Create the key', dialog);
    await page.getByText('This is shown once').waitFor();
    const secret = await page.getByRole('textbox', { name: 'API key' }).inputValue();
    await pressButton('I have kept it');
    await dialog.waitFor({ state: 'detached' });
    expect((await browser.service.call('GET', '/v1/me', { key: secret })).status).toBe(200);
  });

  test('makes a destination and verifies it', async () => {
    await press('g', 'd');
    await goTo('Destinations');
    await pressButton('New destination');
    const dialog = page.getByRole('dialog', { name: 'New destination' });
    await type('Name', 'Press', dialog);
    await type('Path', join(root, 'press'), dialog);
    await pressButton('Create and verify', dialog);
    await pressButton('Done', page.getByRole('dialog', { name: 'Verify Press' }));
    await expect
      .poll(async () => (await call('GET', '/v1/destination'))['destinations'][0])
      .toMatchObject({ name: 'Press', status: 'ok' });
  });

  test('selects two of three and delivers them', async () => {
    await press('g', 'l');
    await page.getByRole('option').nth(2).waitFor();
    await tabTo(page.getByRole('listbox', { name: 'Results' }));
    await press('Home', 'x', 'ArrowRight', 'x', 'd');
    const dialog = page.getByRole('dialog', { name: 'Deliver 2 assets' });
    await type('Path', '{media.name}.{media.ext}', dialog);
    await dialog.getByRole('button', { name: 'Send 2 files' }).waitFor();
    await pressButton('Send 2 files', dialog);
    await page.getByRole('dialog', { name: 'Delivered' }).waitFor();
    await press('Escape');
    // The newest come first.
    expect(await readFile(join(root, 'press', 'Tor 3.jpg'))).toEqual(photos[2]);
    expect(await readFile(join(root, 'press', 'Tor 2.jpg'))).toEqual(photos[1]);
  });

  test('makes a rule that delivers, after a dry run', async () => {
    await press('g', 'd');
    await goTo('Rules');
    await pressButton('New rule');
    const dialog = page.getByRole('dialog', { name: 'New rule' });
    await type('Name', 'All to the press', dialog);
    await pressButton(/Destination$/, dialog);
    await page.getByRole('option', { name: /^Press/ }).waitFor();
    await press('Home', 'Enter');
    await pressButton('Dry run', dialog);
    await dialog.getByRole('list', { name: 'What it would have done' }).waitFor();
    await pressButton('Create the rule', dialog);
    await dialog.waitFor({ state: 'detached' });
    expect((await call('GET', '/v1/rule'))['rules']).toMatchObject([{ name: 'All to the press' }]);
  });

  test('writes a player into the taxonomy', async () => {
    await press('g', 'a');
    await goTo('Taxonomy');
    await pressButton('New tag option');
    const form = page.getByRole('dialog', { name: /^New / });
    await type('Name', 'Ada Okafor', form);
    await pressButton('Create', form);
    // What was made opens in the place of the form: from then on nothing is left to be discarded.
    const panel = page.getByRole('dialog', { name: 'Ada Okafor' });
    await panel.waitFor();
    const find = async () => JSON.stringify(await call('GET', '/v1/tag/search?query=okafor'));
    await expect.poll(find).toContain('Ada Okafor');
    await press('Escape');
    await panel.waitFor({ state: 'detached' });
    await press('g', 'l', '?');
    await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor();
    opened.checkConsole();
  });
});
