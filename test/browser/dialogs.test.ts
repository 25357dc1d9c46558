import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startApp } from '../support/app.ts';
import { type BrowserService, choice, openBrowser, type OpenPage } from '../support/browser.ts';
import { findBrowser } from '../support/chromium.ts';
import { createTag, plainPhoto, uploadMedia } from '../support/library.ts';

type Box = { readonly x: number; readonly y: number; readonly width: number; readonly height: number };
const overlap = (one: Box, other: Box): boolean =>
  one.x < other.x + other.width &&
  other.x < one.x + one.width &&
  one.y < other.y + other.height &&
  other.y < one.y + one.height;

const missing = findBrowser() === undefined ? 'skipped: chromium is missing (apt-get install chromium)' : undefined;

describe.skipIf(missing !== undefined)(
  `what opens above the page${missing === undefined ? '' : ` (${missing})`}`,
  () => {
    let browser: BrowserService;
    let opened: OpenPage;
    let page: Page;
    let folder: string;

    const grid = (on = page) => on.getByRole('listbox', { name: 'Results' });
    const hasFocus = (name: string) =>
      page.evaluate<boolean>(`document.activeElement.getAttribute('aria-label') === ${JSON.stringify(name)}`);
    const selectAll = async (on = page) => {
      await on.getByRole('option').first().waitFor();
      await grid(on).focus();
      await on.keyboard.press('a');
    };
    const beginToTag = async (on = page) => {
      await selectAll(on);
      await on.keyboard.press('t');
      const dialog = on.getByRole('dialog', { name: 'Tag 2 assets' });
      await dialog.getByRole('combobox', { name: 'Tags' }).fill('Joy');
      await choice(on, 'Joy').click();
      return dialog;
    };

    beforeAll(async () => {
      folder = await mkdtemp(join(tmpdir(), 'dialogs-'));
      const service = await startApp({ DELIVERY_FOLDERS: folder });
      await createTag(service, { type: 'tag', category: 'mood', label: 'Joy' });
      for (const seed of [1, 2]) await uploadMedia(service, await plainPhoto(seed), {});
      const body = { name: 'Agency', kind: 'folder', config: { path: folder }, path_template: '{media.name}' };
      expect((await service.call('POST', '/v1/destination', { body })).status).toBe(201);
      browser = await openBrowser(service);
      opened = await browser.open('/');
      ({ page } = opened);
    });
    afterAll(async () => {
      await opened?.close();
      await browser?.close();
      await browser?.service.close();
      await rm(folder, { recursive: true, force: true });
    });

    test('gives the focus back, also where one dialog took the place of another', async () => {
      await selectAll();
      await page.keyboard.press('d');
      // First it waits for the destinations in a dialog of its own.
      await page.getByRole('dialog').getByRole('textbox', { name: 'Path' }).waitFor();
      await page.keyboard.press('Escape');
      await page.getByRole('dialog').waitFor({ state: 'detached' });
      await expect.poll(() => hasFocus('Results')).toBe(true);
    });

    test('is closed by one Escape while a tooltip is shown', async () => {
      await page.keyboard.press('?');
      const dialog = page.getByRole('dialog', { name: 'Keyboard shortcuts' });
      await dialog.waitFor();
      await page.keyboard.press('Tab');
      await expect.poll(() => hasFocus('Close')).toBe(true);
      await page.getByRole('tooltip').waitFor();
      await page.keyboard.press('Escape');
      await dialog.waitFor({ state: 'detached' });
      await expect.poll(() => hasFocus('Results')).toBe(true);
    });

    test('keeps the focus, and Escape, on a button while its request runs', async () => {
      let answer: (() => void) | undefined;
      const held = new Promise<void>((resolve) => {
        answer = resolve;
      });
      await page.route('**/v1/media/bulk*', async (route) => {
        await held;
        await route.continue();
      });
      const dialog = await beginToTag();
      const button = dialog.getByRole('button', { name: 'Put on' });
      await button.focus();
      const asked = page.waitForRequest('**/v1/media/bulk*');
      await page.keyboard.press('Enter');
      await asked;
      expect(await page.evaluate<string>('document.activeElement.textContent')).toContain('Put on');
      await page.keyboard.press('Escape');
      await dialog.waitFor({ state: 'detached' });
      answer?.();
      await page.getByText('2 assets changed.').waitFor();
      await page.unroute('**/v1/media/bulk*');
    });

    test.each(['desktop', 'phone'] as const)('has its buttons free of messages on a %s', async (size) => {
      const own = await browser.open('/', { size });
      const done = await beginToTag(own.page);
      await done.getByRole('button', { name: 'Put on' }).click();
      await done.waitFor({ state: 'detached' });
      const dialog = await beginToTag(own.page);
      const toast = await own.page.locator('.ui-toast').first().boundingBox();
      const boxes = await Promise.all((await dialog.getByRole('button').all()).map((one) => one.boundingBox()));
      await own.screenshot('dialog-with-message');
      expect(boxes.length).toBeGreaterThan(2);
      expect(boxes.filter((box) => !box || !toast || overlap(box, toast))).toEqual([]);
      await own.checkAccessibility();
      own.checkConsole();
      await own.close();
    });

    test('a screen goes on with its own address while another one loads', async () => {
      let load: (() => void) | undefined;
      const held = new Promise<void>((resolve) => {
        load = resolve;
      });
      await page.route('**/assets/roster-view-*.js', async (route) => {
        await held;
        await route.continue();
      });
      await page.goto(`${browser.url}/?type=photo`);
      await expect.poll(() => page.getByRole('option').count()).toBe(2);
      const searches: string[] = [];
      page.on('request', (request) => {
        if (request.url().includes('/v1/media/search')) searches.push(request.postData() ?? '');
      });
      const asked = page.waitForRequest('**/assets/roster-view-*.js');
      await page.evaluate("history.pushState({}, '', '/admin/roster?type=video')");
      await asked;
      // Longer than the library rests before it asks again.
      await page.evaluate('new Promise((resolve) => setTimeout(resolve, 400))');
      expect(await page.getByRole('option').count()).toBe(2);
      load?.();
      await page.getByRole('tab', { name: 'Squad on a day' }).waitFor();
      expect(searches).toEqual([]);
      opened.checkConsole();
    });
  },
);
