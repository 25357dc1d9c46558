import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startApp } from '../support/app.ts';
import { type BrowserService, choice, openBrowser, type OpenPage } from '../support/browser.ts';
import { findBrowser } from '../support/chromium.ts';
import { createTag, plainPhoto, searchMedia } from '../support/library.ts';

const missing = findBrowser() === undefined ? 'skipped: chromium is missing (apt-get install chromium)' : undefined;

describe.skipIf(missing !== undefined)(
  `uploading in the browser${missing === undefined ? '' : ` (${missing})`}`,
  () => {
    let browser: BrowserService;
    let opened: OpenPage;
    let page: Page;
    let folder: string;

    const choose = async (paths: readonly string[]): Promise<void> => {
      const [chooser] = await Promise.all([
        page.waitForEvent('filechooser'),
        page.getByRole('button', { name: 'Choose files' }).click(),
      ]);
      await chooser.setFiles([...paths]);
    };
    const photo = async (seed: number): Promise<string> => {
      const path = join(folder, `frame-${seed}.jpg`);
      await writeFile(path, await plainPhoto(seed, { width: 320, height: 200 }));
      return path;
    };

    beforeAll(async () => {
      const service = await startApp();
      await createTag(service, { type: 'club', label: 'Port Averley' });
      browser = await openBrowser(service);
      folder = await mkdtemp(join(tmpdir(), 'touchline-browser-'));
      opened = await browser.open('/upload');
      ({ page } = opened);
    });
    afterAll(async () => {
      await opened?.close();
      await browser?.close();
      await browser?.service.close();
      if (folder !== undefined) await rm(folder, { recursive: true });
    });

    test('files become assets with the tags that were chosen, and each says when it is ready', async () => {
      await page.getByRole('combobox', { name: 'Tags for all files that come next' }).fill('Averley');
      await choice(page, 'Port Averley').click();
      await choose([await photo(1), await photo(2), await photo(3)]);
      await page.getByText('3 of 3 ready').waitFor();
      const found = await searchMedia(browser.service, { status: 'ready' });
      expect(found['total']).toBe(3);
      for (const { tag_options } of found['media']) expect(tag_options).toMatchObject([{ label: 'Port Averley' }]);
      await opened.screenshot('upload');
      await opened.checkAccessibility();
      opened.checkConsole();
    });

    test('a file that is no picture says why, and keeps no other away', async () => {
      const text = join(folder, 'notes.txt');
      await writeFile(text, 'Line-up, second half');
      await choose([text, await photo(4)]);
      await page.getByText('4 of 5 ready, 1 failed').waitFor();
      await page
        .getByText(/expected|not a|format/i)
        .first()
        .waitFor();
      opened.checkConsole(/415/);
    });

    test('a file that is there already is not stored twice', async () => {
      await choose([await photo(2)]);
      await page.getByText('The library had it already').waitFor();
      expect((await searchMedia(browser.service, {}))['total']).toBe(4);
    });

    test('a line that is cut is waited for, and nothing of what was sent is sent again', async () => {
      const path = join(folder, 'large.jpg');
      await writeFile(path, await plainPhoto(9, { width: 3000, height: 2000 }));
      let cuts = 0;
      await page.route('**/v1/upload/*', async (route) => {
        if (route.request().method() !== 'PATCH' || cuts > 0) return route.continue();
        cuts += 1;
        return route.abort('connectionreset');
      });
      await choose([path]);
      await expect
        .poll(async () => (await searchMedia(browser.service, { status: 'ready' }))['total'], { timeout: 20_000 })
        .toBe(5);
      expect(cuts).toBe(1);
      opened.checkConsole(/ERR_CONNECTION_RESET|net::/);
    });

    test('what was uploaded is in the library without a reload', async () => {
      await page.getByRole('link', { name: 'Library' }).click();
      await expect.poll(() => page.getByRole('option').count(), { timeout: 15_000 }).toBe(5);
      await browser.service.upload(await plainPhoto(20), { name: 'from-elsewhere.jpg' });
      await expect.poll(() => page.getByRole('option').count(), { timeout: 15_000 }).toBe(6);
      opened.checkConsole();
    });
  },
);
