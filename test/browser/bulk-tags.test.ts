import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startApp } from '../support/app.ts';
import { type BrowserService, choice, openBrowser, type OpenPage } from '../support/browser.ts';
import { findBrowser } from '../support/chromium.ts';
import { createTag, idsOf, plainPhoto, searchMedia, uploadMedia } from '../support/library.ts';

const missing = findBrowser() === undefined ? 'skipped: chromium is missing (apt-get install chromium)' : undefined;

describe.skipIf(missing !== undefined)(`tagging many assets${missing === undefined ? '' : ` (${missing})`}`, () => {
  let browser: BrowserService;
  let opened: OpenPage;
  let page: Page;
  let club: number;
  let mood: number;

  const withTag = async (id: number): Promise<number[]> =>
    idsOf(await searchMedia(browser.service, { tag_options: [id] })).toSorted((a, b) => a - b);

  beforeAll(async () => {
    const service = await startApp();
    club = await createTag(service, { type: 'club', label: 'Port Averley' });
    mood = await createTag(service, { type: 'tag', category: 'mood', label: 'Joy' });
    for (let seed = 1; seed <= 4; seed += 1) {
      await uploadMedia(service, await plainPhoto(seed), { metadata: seed === 1 ? { tag_options: [mood] } : {} });
    }
    browser = await openBrowser(service);
    opened = await browser.open('/');
    ({ page } = opened);
  });
  afterAll(async () => {
    await opened?.close();
    await browser?.close();
    await browser?.service.close();
  });

  test('puts two tags on all that is selected, and undoes only what it has done', async () => {
    const before = await withTag(mood);
    expect(before).toHaveLength(1);
    await page.getByRole('option').first().waitFor();
    await page.getByRole('listbox').first().focus();
    await page.keyboard.press('a');
    await page.keyboard.press('t');
    const dialog = page.getByRole('dialog', { name: 'Tag 4 assets' });
    for (const label of ['Port Averley', 'Joy']) {
      await dialog.getByRole('combobox', { name: 'Tags' }).fill(label);
      await choice(page, label).click();
    }
    await opened.screenshot('bulk-tags');
    await opened.checkAccessibility();
    await dialog.getByRole('button', { name: 'Put on' }).click();
    await dialog.waitFor({ state: 'detached' });
    expect(await withTag(club)).toHaveLength(4);
    expect(await withTag(mood)).toHaveLength(4);
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByText('It is as it was before.').waitFor();
    expect(await withTag(club)).toEqual([]);
    expect(await withTag(mood)).toEqual(before);
    opened.checkConsole();
  });
});
