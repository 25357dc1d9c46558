import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Json } from '../support/app.ts';
import { type BrowserService, choice, type OpenPage, startSampleInBrowser } from '../support/browser.ts';
import { findBrowser } from '../support/chromium.ts';
import { searchMedia } from '../support/library.ts';

/** A click has to reach the service first. */
const missing = findBrowser() === undefined ? 'skipped: chromium is missing (apt-get install chromium)' : undefined;

describe.skipIf(missing !== undefined)(`a photo in the browser${missing === undefined ? '' : ` (${missing})`}`, () => {
  let browser: BrowserService;
  let opened: OpenPage;
  let page: Page;
  let photos: Json[];
  let total: number;

  const read = async (): Promise<Json> =>
    (await browser.service.call('GET', `/v1/media/${photos[1]?.['id']}`)).body['media'];
  const chooseFrom = async (field: string, text: string): Promise<void> => {
    await page.getByRole('combobox', { name: field }).fill(text);
    await choice(page, text).first().click();
  };

  beforeAll(async () => {
    browser = await startSampleInBrowser();
    const body = { media_type: 'photo', people_count: [2, 3, 4, 5, 6, 7, 8], sort: '-created_at' };
    const found = await searchMedia(browser.service, body);
    photos = found['media'];
    total = found['total'];
    opened = await browser.open(`/?type=photo&people=2,3,4,5,6,7,8`);
    ({ page } = opened);
  });
  afterAll(async () => {
    await opened?.close();
    await browser?.close();
  });

  test('opens from the library, goes on and back by arrows, and Escape shows the search again', async () => {
    await page.getByRole('option').first().waitFor();
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('Enter');
    const name = page.getByRole('heading', { level: 1 });
    await expect.poll(() => name.innerText()).toBe(photos[0]?.['name']);
    await page.getByText(`1 of ${total}`).waitFor();
    await page.keyboard.press('ArrowRight');
    await expect.poll(() => name.innerText()).toBe(photos[1]?.['name']);
    await page.keyboard.press('Escape');
    await page.getByRole('option').first().waitFor();
    expect(new URL(page.url()).searchParams.get('people')).toBe('2,3,4,5,6,7,8');
    await page.keyboard.press('Enter');
    await page.keyboard.press('ArrowRight');
    await expect.poll(() => name.innerText()).toBe(photos[1]?.['name']);
  });

  test('texts and rating are saved', async () => {
    await page.getByLabel('Caption').fill('The cup is theirs');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await expect.poll(async () => (await read())['details'].caption).toBe('The cup is theirs');
    await opened.screenshot('photo');
    await opened.checkAccessibility();
  });

  test('a tag is put on and taken off', async () => {
    await page.getByRole('tab', { name: 'Tags' }).click();
    await chooseFrom('Add a tag', 'Rain');
    const labels = async () => (await read())['tag_options'].map(({ label }: Json) => label);
    await expect.poll(labels).toContain('Rain');
    await page.getByRole('button', { name: 'Remove Rain' }).click();
    await expect.poll(labels).not.toContain('Rain');
  });

  test('a face is linked to a player, and crops may then follow that player', async () => {
    await page.getByRole('tab', { name: 'Faces' }).click();
    await opened.screenshot('photo-faces');
    await opened.checkAccessibility();
    await chooseFrom('Whose is face 1?', 'Núñera');
    await expect.poll(async () => (await read())['faces'].filter((face: Json) => face['tag_option_id']).length).toBe(1);
    await page.getByRole('tab', { name: 'Crops' }).click();
    await page.getByRole('button', { name: /Focus$/ }).click();
    await choice(page, 'Núñera').click();
    const facts = page.getByRole('region', { name: 'URL builder' }).getByRole('status').last();
    await expect.poll(() => facts.innerText()).toMatch(/^600 × 818, .+ kB, image\/\w+, focus: player:\d+$/);
    const url = await page.getByRole('textbox', { name: 'URL' }).inputValue();
    expect(url).toMatch(/\/img\/.+\?w=600&h=818&f=player:\d+$/);
    const picture = await fetch(url.replace('localhost', '127.0.0.1'));
    expect(picture.headers.get('x-image-size')).toBe('600x818');
    await opened.screenshot('photo-crops');
    await opened.checkAccessibility();
  });

  test('a click sets the focal point, which can be taken away again', async () => {
    const frame = await page.getByRole('button', { name: /^Set the focal point/ }).boundingBox();
    if (!frame) throw new Error('expected the picture, received none');
    await page.mouse.click(frame.x + frame.width * 0.25, frame.y + frame.height * 0.5);
    await expect.poll(async () => (await read())['focal']?.x).toBeCloseTo(0.25, 1);
    await page.getByRole('button', { name: 'Let faces decide again' }).click();
    await expect.poll(async () => (await read())['focal']).toBeNull();
    opened.checkConsole();
  });

  test('is usable on a phone, light and dark', async () => {
    for (const theme of ['light', 'dark'] as const) {
      const phone = await browser.open(`/asset/${photos[1]?.['id']}`, { size: 'phone', theme });
      await phone.page.getByRole('tab', { name: 'Crops' }).click();
      await phone.page.getByRole('textbox', { name: 'URL' }).waitFor();
      await phone.screenshot('photo-crops');
      expect(await phone.page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(390);
      await phone.checkAccessibility();
      phone.checkConsole();
      await phone.close();
    }
  });
});
