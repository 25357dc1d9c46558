import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Download, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Json, startApp } from '../support/app.ts';
import { type BrowserService, choice, openBrowser, type OpenPage, SIZES } from '../support/browser.ts';
import { findBrowser } from '../support/chromium.ts';
import { createTag, filesBelow, plainPhoto, uploadMedia } from '../support/library.ts';
import { copyAsset } from '../support/many-assets.ts';

const missing = findBrowser() === undefined ? 'skipped: chromium is missing (apt-get install chromium)' : undefined;
/** A refused template is what the test asks for. */
const REFUSED = /status of 400/;

describe.skipIf(missing !== undefined)(
  `delivering in the browser${missing === undefined ? '' : ` (${missing})`}`,
  () => {
    let browser: BrowserService;
    let opened: OpenPage;
    let page: Page;
    let root: string;
    const photos: Buffer[] = [];
    const ids: number[] = [];
    const destinations: Record<string, number> = {};

    const call = async (method: string, path: string, body?: object): Promise<Json> =>
      (await browser.service.call(method, path, body ? { body } : {})).body;
    const createDestination = async (name: string, members: object = {}): Promise<void> => {
      const path = join(root, name);
      await mkdir(path);
      const body = { name, kind: 'folder', config: { path }, path_template: '{media.name}.{media.ext}', ...members };
      destinations[name] = (await call('POST', '/v1/destination', body))['destination'].id;
    };
    const deliveriesTo = async (name: string): Promise<Json[]> =>
      (await call('GET', `/v1/delivery?limit=200&destination=${destinations[name]}`))['deliveries'];
    const statesOf = async (name: string): Promise<string[]> =>
      (await deliveriesTo(name)).map(({ state }): string => state).toSorted();
    const selectAll = async (): Promise<void> => {
      await page.getByRole('option').nth(3).waitFor();
      await page.getByRole('listbox').first().focus();
      await page.keyboard.press('a');
    };
    const choose = async (label: string, option: string | RegExp): Promise<void> => {
      await page.getByRole('button', { name: new RegExp(`${label}$`) }).click();
      await choice(page, option).click();
    };

    beforeAll(async () => {
      root = await mkdtemp(join(tmpdir(), 'touchline-browser-'));
      const service = await startApp({ DELIVERY_FOLDERS: root });
      browser = await openBrowser(service);
      const club = await createTag(service, { type: 'club', label: 'Port Averley' });
      for (let n = 1; n <= 4; n += 1) {
        const photo = await plainPhoto(n);
        photos.push(photo);
        const options = { name: `Tor ${n}.jpg`, metadata: n === 1 ? {} : { tag_options: [club] } };
        ids.push((await uploadMedia(service, photo, options))['id']);
      }
      opened = await browser.open('/');
      ({ page } = opened);
    });
    afterAll(async () => {
      await opened?.close();
      await browser?.close();
      await browser?.service.close();
      if (root !== undefined) await rm(root, { recursive: true, force: true });
    });

    test('without a destination the dialog says what is missing', async () => {
      await selectAll();
      await page.keyboard.press('d');
      const dialog = page.getByRole('dialog', { name: 'Deliver 4 assets' });
      await dialog.getByText('There is nowhere to deliver to yet').waitFor();
      await dialog.getByRole('link', { name: 'Make a destination' }).waitFor();
      await page.keyboard.press('Escape');
      await dialog.waitFor({ state: 'detached' });
      await createDestination('Agency');
      await createDestination('Paused', { paused: true });
      await createDestination('Blocked', { path_template: 'in/{media.name}.{media.ext}' });
      await page.reload();
    });

    test('the preview shows every path, what is wrong with the template, and which files would collide', async () => {
      await selectAll();
      await page.keyboard.press('d');
      const dialog = page.getByRole('dialog', { name: 'Deliver 4 assets' });
      await dialog.getByText('4 of 4 files would be sent').waitFor();
      for (const n of [1, 2, 3, 4]) await dialog.getByText(`Tor ${n}.jpg`, { exact: true }).waitFor();
      const template = dialog.getByRole('textbox', { name: 'Path' });
      await template.fill('{media.nam}');
      await dialog.getByText(/^column 2: expected a token/).waitFor();
      expect(await dialog.getByRole('button', { name: 'Send' }).isDisabled()).toBe(true);
      await template.fill('{club|slug|default:none}.{media.ext}');
      await dialog.getByText('2 of 4 files would be sent, 2 with a path that another file has').waitFor();
      await dialog
        .getByText(/^Collision: asset \d+ of this request has the same path$/)
        .first()
        .waitFor();
      await template.fill('');
      await template.press('Home');
      await dialog.getByRole('button', { name: 'Number' }).click();
      await dialog.getByRole('button', { name: 'More' }).click();
      await page.getByRole('menuitem', { name: 'Home club' }).waitFor();
      await page.keyboard.press('Escape');
      expect(await template.inputValue()).toBe('{seq:4}');
      await dialog.getByText('0004', { exact: true }).waitFor();
      await opened.screenshot('deliver');
      await opened.checkAccessibility();
      opened.checkConsole(REFUSED);
    });

    test('what was chosen arrives byte by byte, with sidecars, at the paths of the preview', async () => {
      const dialog = page.getByRole('dialog', { name: 'Deliver 4 assets' });
      await dialog.getByRole('textbox', { name: 'Path' }).fill('{club|slug|default:none}/{media.name}.{media.ext}');
      await choose('Sidecar', 'JSON');
      await dialog.getByText('port-averley/Tor 2.jpg', { exact: true }).waitFor();
      await dialog.getByRole('button', { name: 'Send 4 files' }).click();
      const progress = page.getByRole('dialog', { name: 'Delivered' });
      await progress.getByText('4 of 4 arrived').waitFor();
      await opened.checkAccessibility();
      const files = ['none/Tor 1.jpg', 'port-averley/Tor 2.jpg', 'port-averley/Tor 3.jpg', 'port-averley/Tor 4.jpg'];
      const folder = join(root, 'Agency');
      expect(await filesBelow(folder)).toEqual(files.flatMap((file) => [file, `${file}.json`]));
      for (const [n, file] of files.entries()) {
        expect((await readFile(join(folder, file))).equals(photos[n] ?? Buffer.alloc(0)), file).toBe(true);
      }
      expect(await statesOf('Agency')).toEqual(Array.from({ length: 4 }, () => 'succeeded'));
      await progress.getByRole('link', { name: 'Show the deliveries' }).click();
      opened.checkConsole();
    });

    test('a delivery shows its receipt', async () => {
      const list = page.getByRole('group', { name: 'Deliveries' });
      await expect.poll(() => list.getByRole('listitem').count()).toBe(4);
      await opened.screenshot('deliveries');
      await opened.checkAccessibility();
      // The newest comes first: from the last of the request to the one before it, by keys alone.
      await list.getByRole('link', { name: 'port-averley/Tor 4.jpg' }).focus();
      await page.keyboard.press('ArrowDown');
      await expect
        .poll(() => page.evaluate<string>('document.activeElement.textContent'))
        .toBe('port-averley/Tor 3.jpg');
      await page.keyboard.press('Enter');
      const receipt = page.getByRole('region', { name: 'Receipt' });
      await receipt.waitFor();
      const sent = (await deliveriesTo('Agency')).find(({ media_id: id }) => id === ids[2]);
      await receipt.getByText(sent?.['receipt'].sha256).waitFor();
      await receipt.getByText('The bytes were read back from the target and hashed.').waitFor();
      await receipt.getByText(join(root, 'Agency', 'port-averley/Tor 3.jpg'), { exact: true }).waitFor();
      await receipt.getByText('port-averley/Tor 3.jpg.json').waitFor();
      expect(new URL(page.url()).searchParams.get('delivery')).toBe(String(sent?.['id']));
      await opened.screenshot('receipt');
      await opened.checkAccessibility();
      await page.keyboard.press('Escape');
      await receipt.waitFor({ state: 'detached' });
      opened.checkConsole();
    });

    test('what waits for a paused destination is cancelled together, and sent when it is wanted again', async () => {
      await page.getByRole('link', { name: 'Library' }).click();
      await selectAll();
      await page.getByRole('button', { name: 'Deliver', exact: true }).click();
      await choose('Destination', /^Paused/);
      await page.getByText('Paused. What is sent now waits until somebody resumes it.').waitFor();
      await page.getByRole('button', { name: 'Send 4 files' }).click();
      const progress = page.getByRole('dialog', { name: 'Delivering' });
      await progress.getByText('0 of 4 arrived, 4 waiting').waitFor();
      await progress.getByRole('button', { name: 'Cancel what is left' }).click();
      await page.getByRole('dialog', { name: 'Nothing was delivered' }).waitFor();
      expect(await statesOf('Paused')).toEqual(Array.from({ length: 4 }, () => 'cancelled'));
      await page.getByRole('link', { name: 'Show the deliveries' }).click();
      await call('PATCH', `/v1/destination/${destinations['Paused']}`, { paused: false });
      await page.getByRole('button', { name: 'Send again what did not arrive' }).click();
      await page.getByText('4 of 4 arrived').waitFor();
      expect(await statesOf('Paused')).toEqual(Array.from({ length: 4 }, () => 'succeeded'));
      for (const [n, photo] of photos.entries()) {
        expect((await readFile(join(root, 'Paused', `Tor ${n + 1}.jpg`))).equals(photo)).toBe(true);
      }
      opened.checkConsole();
    });

    test('what failed says why, is found by its state, and is sent again alone', async () => {
      await writeFile(join(root, 'Blocked', 'in'), 'a file where the folder should be');
      const body = { destination_id: destinations['Blocked'], media_ids: ids };
      const { batch } = await call('POST', '/v1/delivery', body);
      await page.getByRole('link', { name: 'All requests' }).click();
      await page.getByText('0 of 4 arrived, 4 failed').waitFor();
      await choose('State', 'Failed');
      await expect.poll(() => page.getByRole('list', { name: 'Requests' }).getByRole('link').count()).toBe(1);
      await page.getByRole('link', { name: /^Blocked/ }).click();
      const address = new URL(page.url()).searchParams;
      expect([address.get('batch'), address.get('state')]).toEqual([batch, 'failed']);
      const list = page.getByRole('group', { name: 'Deliveries' });
      const reason = (await deliveriesTo('Blocked'))[0]?.['failure'].reason;
      await list.getByText(reason).first().waitFor();
      await rm(join(root, 'Blocked', 'in'));
      await list.getByRole('button', { name: 'Send in/Tor 2.jpg again' }).click();
      await expect.poll(() => statesOf('Blocked')).toEqual(['failed', 'failed', 'failed', 'succeeded']);
      expect((await readFile(join(root, 'Blocked', 'in', 'Tor 2.jpg'))).equals(photos[1] ?? Buffer.alloc(0))).toBe(
        true,
      );
      await expect.poll(() => list.getByRole('listitem').count()).toBe(3);
      await page.getByRole('button', { name: 'Send again what did not arrive' }).click();
      await page.getByText('4 of 4 arrived').waitFor();
      opened.checkConsole();
    });

    test('one asset is delivered from its page, as a picture made to measure', async () => {
      await page.goto(`${browser.url}/asset/${ids[0]}`);
      await page.getByRole('button', { name: 'Deliver', exact: true }).click();
      const dialog = page.getByRole('dialog', { name: 'Deliver 1 asset' });
      await choose('What goes out', 'A picture made to measure');
      await dialog.getByRole('textbox', { name: 'Recipe' }).fill('w=0');
      await dialog
        .getByText(/expected/)
        .first()
        .waitFor();
      await dialog.getByRole('textbox', { name: 'Recipe' }).fill('w=48&h=48&fmt=png');
      await dialog.getByText('Tor 1.png', { exact: true }).waitFor();
      await dialog.getByRole('button', { name: 'Send 1 file' }).click();
      await page.getByRole('dialog', { name: 'Delivered' }).waitFor();
      const made = await readFile(join(root, 'Agency', 'Tor 1.png'));
      // Width and height of a PNG (RFC 2083, 4.1.1).
      expect([made.readUInt32BE(16), made.readUInt32BE(20)]).toEqual([48, 48]);
      await page.getByRole('button', { name: 'Done' }).click();
      opened.checkConsole(REFUSED);
    });

    test('one asset is downloaded as it is stored, or with its texts written in', async () => {
      await page.getByRole('button', { name: 'Download', exact: true }).click();
      const dialog = page.getByRole('dialog', { name: 'Download Tor 1.jpg' });
      await dialog.waitFor();
      await opened.screenshot('download');
      await opened.checkAccessibility();
      const [plain] = await Promise.all([
        page.waitForEvent('download'),
        dialog.getByRole('link', { name: 'Download' }).click(),
      ]);
      expect(plain.suggestedFilename()).toBe('Tor 1.jpg');
      expect((await readFile(await plain.path())).equals(photos[0] ?? Buffer.alloc(0))).toBe(true);
      await dialog.getByText('Only the texts and tags').click();
      const [sidecar] = await Promise.all([
        page.waitForEvent('download'),
        dialog.getByRole('button', { name: 'Download' }).click(),
      ]);
      expect(sidecar.suggestedFilename()).toBe('Tor 1.xmp');
      expect(await readFile(await sidecar.path(), 'utf8')).toContain('x:xmpmeta');
      await dialog.getByText('1 of 1 file downloaded').waitFor();
      await page.keyboard.press('Escape');
      opened.checkConsole();
    });

    test('several assets are downloaded one after the other, and one that fails keeps no other away', async () => {
      await page.goto(browser.url);
      await selectAll();
      await page.keyboard.press('Shift+D');
      const dialog = page.getByRole('dialog', { name: 'Download 4 assets' });
      await page.route(`**/v1/media/${ids[1]}/download*`, (route) => route.abort('connectionreset'), { times: 1 });
      const arrived: Download[] = [];
      page.on('download', (download) => arrived.push(download));
      await dialog.getByRole('button', { name: 'Download' }).click();
      await dialog.getByText('3 of 4 files downloaded, 1 failed').waitFor();
      await expect.poll(() => arrived.length).toBe(3);
      for (const download of arrived) {
        const n = Number(/\d/.exec(download.suggestedFilename())?.[0]);
        expect((await readFile(await download.path())).equals(photos[n - 1] ?? Buffer.alloc(0)), `Tor ${n}`).toBe(true);
      }
      await page.route(`**/v1/media/${ids[3]}/download*`, () => {}, { times: 1 });
      await dialog.getByText('Only the texts and tags').click();
      await dialog.getByRole('button', { name: 'Download' }).click();
      await dialog.getByRole('button', { name: 'Cancel' }).click();
      await dialog.getByText(/^Cancelled: [0-3] of 4 files downloaded$/).waitFor();
      opened.checkConsole(/net::ERR/);
    });

    test('all that a search finds is delivered at once, previewed by its first files, and its list goes on to the oldest', async () => {
      const service = await startApp({ DELIVERY_FOLDERS: root, SEARCH_ENGINE: 'postgres' });
      const { id } = (await uploadMedia(service, await plainPhoto(1), { name: 'photo 0.jpg' })) as { id: number };
      await copyAsset(service, { id, count: 215 });
      await mkdir(join(root, 'Archive'));
      const members = { path_template: '{seq:3}.{media.ext}', qualities: ['thumbnail'], concurrency: 16 };
      const body = { name: 'Archive', kind: 'folder', config: { path: join(root, 'Archive') }, ...members };
      await service.call('POST', '/v1/destination', { body });
      const many = await openBrowser(service);
      const reader = await many.open('/');
      const list = reader.page.getByRole('group', { name: 'Deliveries' });
      await reader.page.getByRole('option').first().waitFor();
      await reader.page.getByRole('listbox').first().focus();
      await reader.page.keyboard.press('a');
      await reader.page.keyboard.press('d');
      const dialog = reader.page.getByRole('dialog', { name: 'Deliver 216 assets' });
      await dialog.getByText('216 of 216 files would be sent').waitFor();
      await dialog.getByText('and 16 more files').waitFor();
      await dialog.getByRole('textbox', { name: 'Path' }).fill('all/{seq:3}.{media.ext}');
      await dialog.getByText('all/001.jpg', { exact: true }).waitFor();
      await dialog.getByRole('button', { name: 'Send 216 files' }).click();
      await reader.page.getByText('216 of 216 arrived').waitFor({ timeout: 90_000 });
      expect(await filesBelow(join(root, 'Archive'))).toHaveLength(216);
      await reader.page.getByRole('link', { name: 'Show the deliveries' }).click();
      await list.getByRole('link', { name: 'all/216.jpg' }).waitFor();
      expect(await list.getByRole('listitem').count()).toBeLessThan(60);
      await list.focus();
      await expect
        .poll(async () => {
          await reader.page.keyboard.press('End');
          return list.getByRole('link', { name: 'all/001.jpg' }).isVisible();
        })
        .toBe(true);
      reader.checkConsole();
      await reader.close();
      await many.close();
      await service.close();
    });

    test.each([
      ['phone', 'dark'],
      ['phone', 'light'],
      ['desktop', 'dark'],
    ] as const)('the screens hold on a %s, %s', async (size, theme) => {
      const other = await browser.open('/deliver', { size, theme });
      await other.page.getByRole('list', { name: 'Requests' }).waitFor();
      await other.screenshot('deliveries-requests');
      await other.checkAccessibility();
      await other.page.goto(`${browser.url}/asset/${ids[0]}`);
      await other.page.getByRole('button', { name: 'Deliver', exact: true }).click();
      await other.page.getByText('1 of 1 file would be sent').waitFor();
      await other.screenshot('deliver');
      await other.checkAccessibility();
      const width = await other.page.evaluate<number>('document.documentElement.scrollWidth');
      expect(width).toBe(SIZES[size].width);
      other.checkConsole();
      await other.close();
    });

    test('a key without the scope is told what it lacks', async () => {
      const key = await browser.service.createKey({ scopes: ['media.read'] });
      const reader = await browser.open('/deliver', { signedIn: false });
      await reader.signIn(key);
      await reader.page.getByText('This key may not see deliveries').waitFor();
      await reader.page.getByRole('link', { name: 'Library' }).click();
      await reader.page.getByRole('option').first().waitFor();
      await reader.page.getByRole('listbox').first().focus();
      await reader.page.keyboard.press('a');
      await reader.page.getByRole('button', { name: 'Download' }).waitFor();
      expect(await reader.page.getByRole('button', { name: 'Deliver', exact: true }).count()).toBe(0);
      await reader.close();
    });
  },
);
