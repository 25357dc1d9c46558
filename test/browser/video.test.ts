import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Json } from '../support/app.ts';
import { type BrowserService, choice, type OpenPage, startSampleInBrowser } from '../support/browser.ts';
import { findBrowser } from '../support/chromium.ts';
import { searchMedia } from '../support/library.ts';

const missing = findBrowser() === undefined ? 'skipped: chromium is missing (apt-get install chromium)' : undefined;

describe.skipIf(missing !== undefined)(`a video in the browser${missing === undefined ? '' : ` (${missing})`}`, () => {
  let browser: BrowserService;
  let video: Json;
  let opened: OpenPage;
  let page: Page;
  let folder: string | undefined;

  const actions = async (): Promise<Json[]> =>
    (await browser.service.call('GET', `/v1/media/${video['id']}/action`)).body['actions'] as Json[];
  const position = async (): Promise<string> => (await page.getByRole('timer').innerText()).split(' ')[0] ?? '';

  beforeAll(async () => {
    browser = await startSampleInBrowser();
    folder = await mkdtemp(join(tmpdir(), 'touchline-browser-'));
    const withGoals = { media_type: 'video', action: { type: 'goal' } };
    video = (await searchMedia(browser.service, withGoals))['media'][0];
    opened = await browser.open(`/asset/${video['id']}`);
    ({ page } = opened);
    await page.getByRole('button', { name: 'Play', exact: true }).and(page.locator(':enabled')).waitFor();
  }, 400_000);
  afterAll(async () => {
    await opened?.close();
    await browser?.close();
    if (folder !== undefined) await rm(folder, { recursive: true, force: true });
  });

  test('shows its actions on the timeline and in the list, and plays from one', async () => {
    const all = await actions();
    expect(all.length).toBeGreaterThan(0);
    await expect
      .poll(() => page.getByRole('listbox', { name: 'Actions' }).getByRole('option').count())
      .toBe(all.length);
    expect(await page.getByRole('region', { name: 'Timeline' }).getByRole('button').count()).toBe(all.length);
    await opened.screenshot('video');
    await opened.checkAccessibility();
  });

  test('steps by frames with comma and full stop, and by J, K and L', async () => {
    await page.keyboard.press('Home');
    const first = await position();
    await page.keyboard.press('.');
    await page.keyboard.press('.');
    await expect.poll(position).not.toBe(first);
    await page.keyboard.press(',');
    await page.keyboard.press(',');
    await expect.poll(position).toBe(first);
    await page.keyboard.press('l');
    await expect.poll(position).not.toBe(first);
    await page.keyboard.press('k');
    const stopped = await position();
    await page.keyboard.down('k');
    await page.keyboard.press('l');
    await page.keyboard.up('k');
    await expect.poll(position).not.toBe(stopped);
    await page.keyboard.press('j');
    await expect.poll(position).toBe(first);
  });

  test('logs with a key while it plays, and takes it back', async () => {
    const before = await actions();
    await page.keyboard.press('Home');
    await page.keyboard.press('l');
    await page.keyboard.press('c');
    await expect.poll(async () => (await actions()).length).toBe(before.length + 1);
    await page.keyboard.press('k');
    await page.getByText(/^Corner at /).waitFor();
    await page.getByRole('button', { name: 'Undo' }).last().click();
    await expect.poll(async () => (await actions()).length).toBe(before.length);
  });

  test('logs a part between two marks, names who it was, and moves its end', async () => {
    const before = new Set((await actions()).map(({ id }) => id));
    await page.keyboard.press('Home');
    await page.keyboard.press('Shift+ArrowRight');
    await page.keyboard.press('i');
    await page.keyboard.press('Shift+ArrowRight');
    await page.keyboard.press('Shift+ArrowRight');
    await page.keyboard.press('o');
    await page.keyboard.press('v');
    const made = async () => (await actions()).find(({ id }) => !before.has(id));
    await expect.poll(made).toMatchObject({ type_key: 'save', start_ms: 1000, end_ms: 3000 });

    await page.keyboard.press('d');
    const editor = page.getByRole('dialog', { name: 'Save' });
    const players = (await browser.service.call('GET', '/v1/tag/search?type=player&limit=1')).body['players'];
    const { label } = players[0];
    await editor.getByRole('combobox', { name: 'Add a player' }).fill(label);
    await choice(page, label).first().click();
    await editor.getByLabel('Label').fill('With one hand');
    await editor.getByRole('button', { name: 'Save', exact: true }).last().click();
    await expect.poll(made).toMatchObject({ label: 'With one hand', players: [{ label }] });

    await page.keyboard.press('Home');
    for (let second = 0; second < 4; second += 1) await page.keyboard.press('Shift+ArrowRight');
    await page.keyboard.press(']');
    await expect.poll(made).toMatchObject({ start_ms: 1000, end_ms: 4000 });
  });

  test('drags a block along the timeline', async () => {
    const [target] = (await actions()).filter(({ label }) => label === 'With one hand');
    const block = page.getByRole('region', { name: 'Timeline' }).getByRole('button', { pressed: true });
    const box = await block.boundingBox();
    if (!box) throw new Error('expected a block on the timeline, received none');
    await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
    await page.mouse.down();
    await page.mouse.move(box.x + box.width / 2 + 60, box.y + box.height / 2, { steps: 5 });
    await page.mouse.up();
    const moved = async () => (await actions()).find(({ id }) => id === target?.['id']);
    await expect.poll(async () => (await moved())?.['start_ms']).toBeGreaterThan(1000);
    const after = await moved();
    expect(after?.['end_ms'] - after?.['start_ms']).toBe(3000);
  });

  test('filters by type', async () => {
    await page.getByRole('button', { name: 'All types Type' }).click();
    await choice(page, /^Save/).click();
    const saves = (await actions()).filter(({ type_key }) => type_key === 'save');
    await expect
      .poll(() => page.getByRole('listbox', { name: 'Actions' }).getByRole('option').count())
      .toBe(saves.length);
    await page.getByRole('button', { name: /Type$/ }).click();
    await choice(page, 'All types').click();
  });

  test('cuts a clip of the selected action and shows how far it is', async () => {
    await page.getByRole('listbox', { name: 'Actions' }).getByRole('option', { name: 'With one hand' }).click();
    await page.getByRole('button', { name: 'Clip', exact: true }).click();
    const dialog = page.getByRole('dialog', { name: /^Clip of/ });
    await dialog.getByRole('button', { name: 'Cut' }).click();
    await dialog.getByRole('link', { name: 'Download' }).waitFor({ timeout: 60_000 });
    await opened.screenshot('video-clip');
    const href = await dialog.getByRole('link', { name: 'Download' }).getAttribute('href');
    const file = await fetch(new URL(href ?? '', browser.url));
    expect(file.headers.get('content-type')).toBe('video/mp4');
    expect((await file.arrayBuffer()).byteLength).toBeGreaterThan(1000);
    await dialog.getByRole('button', { name: 'Close' }).click();
  });

  test('imports a file of events after showing what it would do', async () => {
    const before = await actions();
    const path = join(folder ?? tmpdir(), 'events.csv');
    await writeFile(path, 'type,start_ms,end_ms\ncorner,500,1500\nfoul,2000,2600\n');
    await page.getByRole('button', { name: 'Import', exact: true }).click();
    const dialog = page.getByRole('dialog', { name: 'Import a file of events' });
    const [chooser] = await Promise.all([
      page.waitForEvent('filechooser'),
      dialog.getByRole('button', { name: 'Choose a file' }).click(),
    ]);
    await chooser.setFiles(path);
    await dialog.getByText('2 events in a file of the format csv').waitFor();
    await opened.screenshot('video-import');
    expect(await actions()).toHaveLength(before.length);
    await dialog.getByRole('button', { name: 'Import', exact: true }).click();
    await expect.poll(async () => (await actions()).length).toBe(before.length + 2);
    await dialog.waitFor({ state: 'detached' });
    opened.checkConsole();
  });

  test('is usable on a phone, light and dark', async () => {
    for (const theme of ['light', 'dark'] as const) {
      const phone = await browser.open(`/asset/${video['id']}`, { size: 'phone', theme });
      await phone.page.getByRole('button', { name: 'Play', exact: true }).and(phone.page.locator(':enabled')).waitFor();
      await phone.screenshot('video');
      const wide = await phone.page.evaluate('document.documentElement.scrollWidth');
      expect(wide).toBeLessThanOrEqual(390);
      await phone.checkAccessibility();
      phone.checkConsole();
      await phone.close();
    }
  });
});
