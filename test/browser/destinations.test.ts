import { mkdir, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Json, startApp, type TestApp } from '../support/app.ts';
import { type BrowserService, choice, openBrowser, type OpenPage } from '../support/browser.ts';
import { findBrowser } from '../support/chromium.ts';
import { createTag, plainPhoto, uploadMedia } from '../support/library.ts';
import { missingSftpServer, startSftpServer } from '../support/servers/sftp-server.ts';

const missing = findBrowser() === undefined ? 'skipped: chromium is missing (apt-get install chromium)' : undefined;
const missingSftp = missingSftpServer();

describe.skipIf(missing !== undefined)(
  `destinations in the browser${missing === undefined ? '' : ` (${missing})`}`,
  () => {
    let service: TestApp;
    let browser: BrowserService;
    let opened: OpenPage;
    let page: Page;
    let root: string;

    const list = async (): Promise<Json[]> => (await service.call('GET', '/v1/destination')).body['destinations'];
    const named = async (name: string): Promise<Json> =>
      (await list()).find((one) => one['name'] === name) ?? expect.fail(`no destination ${name}`);
    const row = (name: string): Locator => page.getByRole('listitem', { name, exact: true });
    const field = (name: string): Locator => page.getByRole('dialog').getByRole('textbox', { name, exact: true });
    const choose = async (label: RegExp, option: string): Promise<void> => {
      await page.getByRole('dialog').getByRole('button', { name: label }).click();
      await choice(page, option, { exact: true }).click();
    };
    const begin = async (kind: string): Promise<Locator> => {
      await page.getByRole('button', { name: 'New destination' }).click();
      const dialog = page.getByRole('dialog', { name: 'New destination' });
      if (kind !== 'Folder') await choose(/Kind$/, kind);
      return dialog;
    };

    beforeAll(async () => {
      root = await mkdtemp(join(tmpdir(), 'touchline-destinations-'));
      await mkdir(join(root, 'press'));
      service = await startApp({ DELIVERY_FOLDERS: root });
      const club = await createTag(service, { type: 'club', label: 'Port Averley' });
      await uploadMedia(service, await plainPhoto(1), { name: 'goal.jpg', metadata: { tag_options: [club] } });
      browser = await openBrowser(service);
      opened = await browser.open('/deliver/destinations');
      ({ page } = opened);
    });
    afterAll(async () => {
      await opened?.close();
      await browser?.close();
      await service?.close();
      if (root !== undefined) await rm(root, { recursive: true, force: true });
    });

    test('a folder is made with a template that shows its paths, and verified step by step', async () => {
      await page.getByText('No destinations yet').waitFor();
      const dialog = await begin('Folder');
      await dialog.getByRole('button', { name: 'Create and verify' }).click();
      await dialog.getByText('Please fill out this field.').first().waitFor();
      await field('Name').fill('Press agency');
      await field('Path').fill('/etc');
      await field('Path of each file').fill('{nothing}');
      await dialog.getByText(/expected a token, one of/).waitFor();
      await field('Path of each file').fill('{club|slug}/{quality}-');
      await dialog.getByRole('button', { name: 'Name', exact: true }).click();
      await dialog.getByText('port-averley/photographer-goal', { exact: true }).waitFor();
      await dialog.getByRole('button', { name: 'Create and verify' }).click();
      await dialog.getByText('expected a folder that the setting DELIVERY_FOLDERS allows').waitFor();
      await opened.screenshot('destination-new');
      await opened.checkAccessibility();
      opened.checkConsole(/400/);
      await field('Path').fill(join(root, 'press'));
      await dialog.getByText('Compressed').click();
      await field('Bandwidth limit, MB a second').fill('2.5');
      await dialog.getByText('Only at certain hours').click();
      for (const day of ['Mon', 'Tue', 'Wed', 'Thu', 'Sun']) await dialog.getByText(day, { exact: true }).click();
      await field('Time zone').fill('Europe/Berlin');
      await dialog.getByRole('button', { name: 'Create and verify' }).click();
      const verify = page.getByRole('dialog', { name: 'Verify Press agency' });
      await verify.getByText('It works.').waitFor();
      expect(await verify.getByRole('list', { name: 'Steps' }).getByRole('listitem').allTextContents()).toEqual([
        'It was reached.',
        'A probe was written.',
        'The probe was read back, and is the same.',
        'The probe was deleted.',
      ]);
      await opened.screenshot('destination-verified');
      await opened.checkAccessibility();
      await verify.getByRole('button', { name: 'Done' }).click();
      expect(await readdir(join(root, 'press'))).toEqual([]);
      expect(await list()).toMatchObject([
        {
          name: 'Press agency',
          kind: 'folder',
          status: 'ok',
          config: { path: join(root, 'press') },
          path_template: '{club|slug}/{quality}-{media.name}',
          qualities: ['photographer', 'compressed'],
          bandwidth_limit: 2_500_000,
          window: { days: ['fri', 'sat'], from: '22:00', to: '06:00', time_zone: 'Europe/Berlin' },
          has_secrets: false,
        },
      ]);
      opened.checkConsole();
    });

    test('N begins a new one, and what was typed is not lost by Escape', async () => {
      await page.keyboard.press('n');
      const dialog = page.getByRole('dialog', { name: 'New destination' });
      await dialog.waitFor();
      await page.keyboard.press('Escape');
      await dialog.waitFor({ state: 'detached' });
      await page.keyboard.press('n');
      await field('Name').fill('Half typed');
      await page.keyboard.press('Escape');
      const question = page.getByRole('alertdialog', { name: 'Leave without saving?' });
      await opened.checkAccessibility();
      await question.getByRole('button', { name: 'Go on editing' }).click();
      expect(await field('Name').inputValue()).toBe('Half typed');
      await dialog.getByRole('button', { name: 'Cancel' }).click();
      await question.getByRole('button', { name: 'Leave' }).click();
      await dialog.waitFor({ state: 'detached' });
      expect((await list()).map((one) => one['name'])).toEqual(['Press agency']);
      opened.checkConsole();
    });

    test('pausing holds it, and what was sent and waits is told', async () => {
      const { id } = await named('Press agency');
      await service.call('PATCH', `/v1/destination/${id}`, { body: { window: null } });
      await page.getByRole('button', { name: 'Pause' }).click();
      await row('Press agency').getByText('Paused', { exact: true }).waitFor();
      expect(await named('Press agency')).toMatchObject({ paused: true });
      const found = await service.call('POST', '/v1/media/search', { body: {} });
      const body = { destination_id: id, media_ids: [found.body['media'][0].id] };
      expect((await service.call('POST', '/v1/delivery', { body })).status).toBe(202);
      await row('Press agency').getByText('2 in the queue').waitFor();
      await page.getByRole('button', { name: 'Go on' }).click();
      await row('Press agency')
        .getByText(/^2 arrived/)
        .waitFor();
      await row('Press agency').getByText('Healthy').waitFor();
      const files = await readdir(join(root, 'press', 'port-averley'));
      expect(files.toSorted()).toEqual(['compressed-goal', 'photographer-goal']);
      opened.checkConsole();
    });

    test('what is changed is changed, and what the form does not touch stays', async () => {
      await row('Press agency').getByRole('button', { name: 'Change' }).click();
      const dialog = page.getByRole('dialog', { name: 'Change Press agency' });
      await choose(/Files at a time$/, '8');
      await dialog.getByText('A picture made to measure').click();
      await field('Parameters').fill('w=200&h=200&fmt=png');
      await dialog.getByText('port-averley/image-goal', { exact: true }).waitFor();
      const before = await named('Press agency');
      await dialog.getByRole('button', { name: 'Save', exact: true }).click();
      await dialog.waitFor({ state: 'detached' });
      const rendition = { kind: 'image', params: 'w=200&h=200&fmt=png' };
      const after = await named('Press agency');
      expect(after).toMatchObject({ concurrency: 8, rendition, version: before['version'] + 1 });
      expect(after['bandwidth_limit']).toBe(2_500_000);
      opened.checkConsole();
    });

    test('a target that is gone says which step failed, and why', async () => {
      await rm(join(root, 'press'), { recursive: true });
      await row('Press agency').getByRole('button', { name: 'Verify' }).click();
      const verify = page.getByRole('dialog', { name: 'Verify Press agency' });
      await verify.getByText('It does not work yet.').waitFor();
      await verify.getByText('It could not be reached.').waitFor();
      await verify.getByText('Write a probe').waitFor();
      await page.keyboard.press('Escape');
      await row('Press agency').getByText('Failing').waitFor();
      expect(await named('Press agency')).toMatchObject({ status: 'failed', failure: { code: 'not_found' } });
      opened.checkConsole();
    });

    test('secrets are written and never come back, and are replaced only when that is asked for', async () => {
      const dialog = await begin('S3');
      await field('Name').fill('Archive');
      await field('Bucket').fill('harbour-archive');
      await field('Endpoint').fill('http://127.0.0.1:9');
      await field('Access key ID').fill('AKIAHARBOUR');
      await field('Secret access key').fill('open sesame');
      await choose(/Storage class$/, 'STANDARD_IA');
      await dialog.getByRole('button', { name: 'Create and verify' }).click();
      const verify = page.getByRole('dialog', { name: 'Verify Archive' });
      await verify.getByText('It does not work yet.').waitFor({ timeout: 60_000 });
      await verify.getByRole('button', { name: 'Change it' }).click();
      const change = page.getByRole('dialog', { name: 'Change Archive' });
      expect(await field('Bucket').inputValue()).toBe('harbour-archive');
      expect(await field('Secret access key').count()).toBe(0);
      await change.getByText('Replace those that are kept').click();
      expect(await field('Secret access key').inputValue()).toBe('');
      await change.getByText('Replace those that are kept').click();
      await field('Name').fill('Cold archive');
      await change.getByRole('button', { name: 'Save', exact: true }).click();
      await change.waitFor({ state: 'detached' });
      const config = { bucket: 'harbour-archive', endpoint: 'http://127.0.0.1:9', storage_class: 'STANDARD_IA' };
      expect(await named('Cold archive')).toMatchObject({ kind: 's3', has_secrets: true, config });
      expect(await page.content()).not.toContain('open sesame');
      expect(service.log()).not.toContain('open sesame');
      await page.keyboard.press('Escape');
      opened.checkConsole();
    });

    test.skipIf(missingSftp !== undefined)(
      `the key of an SFTP server is shown, confirmed by a person, and then kept (${missingSftp ?? 'OpenSSH'})`,
      async () => {
        const server = await startSftpServer();
        try {
          await page.goto(`${browser.url}/deliver/destinations`);
          const dialog = await begin('SFTP');
          await field('Name').fill('Agency');
          await field('Host').fill('127.0.0.1');
          await field('Port').fill(String(server.port));
          await field('User').fill(server.user);
          await field('Folder').fill(server.root);
          await field('Private key').fill(server.privateKey);
          await dialog.getByRole('button', { name: 'Create and verify' }).click();
          const verify = page.getByRole('dialog', { name: 'Verify Agency' });
          await verify.getByText('Is this the right server?').waitFor();
          await verify.getByText(server.hostKey).waitFor();
          expect((await named('Agency'))['config']).not.toHaveProperty('host_key');
          await opened.screenshot('destination-host-key');
          await opened.checkAccessibility();
          await verify.getByRole('button', { name: 'It is the right key' }).click();
          await verify.getByText('It works.').waitFor();
          expect(await named('Agency')).toMatchObject({ status: 'ok', config: { host_key: server.hostKey } });
          await verify.getByRole('button', { name: 'Done' }).click();
          opened.checkConsole();
        } finally {
          await server.stop();
        }
      },
    );

    test('one is deleted after a question, which Escape does not answer', async () => {
      await row('Press agency').getByRole('button', { name: 'Delete Press agency' }).click();
      const question = page.getByRole('alertdialog', { name: 'Delete Press agency?' });
      await page.keyboard.press('Escape');
      await question.getByRole('button', { name: 'Cancel' }).click();
      expect((await list()).map((one) => one['name'])).toContain('Press agency');
      await row('Press agency').getByRole('button', { name: 'Delete Press agency' }).click();
      await opened.checkAccessibility();
      await question.getByRole('button', { name: 'Delete the destination' }).click();
      await row('Press agency').waitFor({ state: 'detached' });
      expect((await list()).map((one) => one['name'])).not.toContain('Press agency');
      opened.checkConsole();
    });

    test('a key that may deliver sees and verifies them, and one that may not is told what it lacks', async () => {
      const key = await service.createKey({ scopes: ['media.read', 'delivery.run'] });
      const other = await browser.open('/deliver/destinations', { signedIn: false });
      await other.signIn(key);
      await other.page.getByRole('button', { name: 'Verify' }).first().waitFor();
      expect(await other.page.getByRole('button', { name: 'New destination' }).count()).toBe(0);
      expect(await other.page.getByRole('button', { name: 'Change' }).count()).toBe(0);
      other.checkConsole();
      await other.close();
      const reader = await browser.open('/deliver/destinations', { signedIn: false });
      await reader.signIn(await service.createKey({ scopes: ['media.read'] }));
      await reader.page.getByText('This key may not see destinations').waitFor();
      reader.checkConsole();
      await reader.close();
    });

    test.each([
      { size: 'phone', theme: 'light' },
      { size: 'phone', theme: 'dark' },
      { size: 'desktop', theme: 'dark' },
    ] as const)('the list and the form fit a $size in $theme colours', async (look) => {
      const other = await browser.open('/deliver/destinations', look);
      await other.page.getByRole('button', { name: 'Verify' }).first().waitFor();
      await other.screenshot('destinations');
      await other.checkAccessibility();
      await other.page.getByRole('button', { name: 'New destination' }).click();
      await other.page.getByText('The newest assets of the library would be').waitFor();
      await other.screenshot('destination-form');
      await other.checkAccessibility();
      const wide = await other.page.evaluate('document.documentElement.scrollWidth > window.innerWidth');
      expect(wide).toBe(false);
      other.checkConsole();
      await other.close();
    });
  },
);
