import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Json, startApp } from '../support/app.ts';
import { type BrowserService, choice, openBrowser, type OpenPage } from '../support/browser.ts';
import { findBrowser } from '../support/chromium.ts';
import { plainPhoto, uploadMedia } from '../support/library.ts';
import { startWebhookReceiver, verified, type WebhookReceiver } from '../support/servers/webhook-receiver.ts';

const missing = findBrowser() === undefined ? 'skipped: chromium is missing (apt-get install chromium)' : undefined;
const SOON = { timeout: 30_000 };
const PATHS = ['/admin', '/admin/webhooks', '/admin/usage'];

describe.skipIf(missing !== undefined)(
  `administering in the browser${missing === undefined ? '' : ` (${missing})`}`,
  () => {
    let browser: BrowserService;
    let receiver: WebhookReceiver;
    let opened: OpenPage;
    let page: Page;

    const button = (name: string | RegExp, within: Page | Locator = page): Locator =>
      within.getByRole('button', { name, exact: true });
    const field = (name: string): Locator => page.getByRole('textbox', { name });
    const go = async (path: string): Promise<void> => {
      const name = { '/admin': 'API keys', '/admin/webhooks': 'Webhooks', '/admin/usage': 'Usage' }[path] ?? path;
      await page.getByRole('navigation', { name: 'Admin' }).getByRole('link', { name }).click();
    };
    const keys = async (): Promise<readonly Json[]> => (await browser.service.call('GET', '/v1/key')).body['api_keys'];
    const keyNamed = async (name: string): Promise<Json | undefined> =>
      (await keys()).find((one) => one['name'] === name);
    const hasFocus = async (locator: Locator): Promise<boolean> =>
      (await locator.and(page.locator(':focus')).count()) === 1;
    const item = (text: string): Locator => page.getByRole('listitem').filter({ hasText: text });
    const webhooks = async (): Promise<readonly Json[]> =>
      (await browser.service.call('GET', '/v1/webhook')).body['webhooks'];
    const messages = async (): Promise<readonly Json[]> => {
      const [webhook] = await webhooks();
      return (await browser.service.call('GET', `/v1/webhook/${webhook?.['id']}/message`)).body['messages'];
    };
    /** What the dialog shows once; closes it. */
    const takeSecret = async (label: string): Promise<string> => {
      const secret = await field(label).inputValue();
      await button('I have kept it').click();
      return secret;
    };
    const addCollection = async (name: string): Promise<void> => {
      const { status } = await browser.service.call('POST', '/v1/collection', { body: { name } });
      expect(status).toBe(201);
    };

    beforeAll(async () => {
      receiver = await startWebhookReceiver();
      browser = await openBrowser(await startApp({ OUTBOUND_ALLOW: `127.0.0.1:${receiver.port}` }));
      opened = await browser.open('/admin');
      ({ page } = opened);
    });
    afterAll(async () => {
      await opened?.close();
      await browser?.close();
      await browser?.service.close();
      await receiver?.close();
    });

    test('a key is made for what it is for, shown once, and opens just that', async () => {
      await button('New API key').click();
      await field('Name').fill('Stadium photographers');
      await button(/^Read only.*What it is for/).click();
      await choice(page, 'Photographer upload').click();
      await button(/^Never.*Expires/).click();
      await choice(page, 'In 30 days').click();
      await field('Only from these networks (optional)').fill('127.0.0.0/33');
      await button('Create the key').click();
      await page.locator('[aria-invalid="true"]').waitFor();
      expect(await field('Only from these networks (optional)').getAttribute('aria-invalid')).toBe('true');
      opened.checkConsole(/400/);
      await field('Only from these networks (optional)').fill('127.0.0.0/8, ::1/128');
      await opened.checkAccessibility();
      await opened.screenshot('admin-key-new');
      await button('Create the key').click();
      await page.getByText('This is shown once').waitFor();
      // It must be taken along: Escape does not leave it.
      await page.keyboard.press('Escape');
      await opened.checkAccessibility();
      const secret = await takeSecret('API key');

      const made = await keyNamed('Stadium photographers');
      expect(made).toMatchObject({ scopes: ['media.read', 'media.write'], cidrs: ['127.0.0.0/8', '::1/128'] });
      const days = (Date.parse(made?.['expires_at']) - Date.now()) / 86_400_000;
      expect(days).toBeGreaterThan(29.9);
      expect(days).toBeLessThanOrEqual(30);
      expect((await browser.service.call('POST', '/v1/media/search', { key: secret, body: {} })).status).toBe(200);
      expect((await browser.service.call('GET', '/v1/key', { key: secret })).status).toBe(403);
      await item('Stadium photographers').getByText('Look and download, Upload and change').waitFor();
      expect(await page.content()).not.toContain(secret);
      opened.checkConsole();
    });

    test('the key in use is told from the others, and what each may do is said in words', async () => {
      const own = item('This key');
      await own.getByText('Everything').waitFor();
      expect(await page.getByText('This key', { exact: true }).count()).toBe(1);
      await opened.screenshot('admin-keys');
      await opened.checkAccessibility();
    });

    test('a key is replaced by one that may do the same, and then revoked', async () => {
      await button('Replace Stadium photographers').click();
      await field('Name').fill('Stadium photographers 2');
      await button('Create the key').click();
      const secret = await takeSecret('API key');
      const [made, old] = [await keyNamed('Stadium photographers 2'), await keyNamed('Stadium photographers')];
      expect(made).toMatchObject({ scopes: old?.['scopes'], cidrs: old?.['cidrs'], burst: old?.['burst'] });
      expect((await browser.service.call('GET', '/v1/me', { key: secret })).status).toBe(200);

      await button('Revoke Stadium photographers 2').click();
      await page.getByText('It cannot be taken back').waitFor();
      await button('Cancel').click();
      expect((await keyNamed('Stadium photographers 2'))?.['revoked_at']).toBeNull();
      await button('Revoke Stadium photographers 2').click();
      await button('Revoke for good').click();
      await expect.poll(() => item('Stadium photographers 2').count(), SOON).toBe(0);
      expect((await browser.service.call('GET', '/v1/me', { key: secret })).status).toBe(401);
      await page.getByText(/^Show revoked and expired/).click();
      await item('Stadium photographers 2').getByText('Revoked', { exact: true }).first().waitFor();
      await expect.poll(() => page.url(), SOON).toContain('show=all');
      opened.checkConsole();
    });

    test('a key is made by the keyboard alone', async () => {
      await button('New API key').focus();
      await page.keyboard.press('Enter');
      await page.getByRole('dialog').waitFor();
      await expect.poll(() => hasFocus(field('Name')), SOON).toBe(true);
      await page.keyboard.type('Scoreboard');
      await page.keyboard.press('Enter');
      await page.getByText('This is shown once').waitFor();
      for (let tabs = 0; tabs < 2; tabs += 1) await page.keyboard.press('Tab');
      await page.keyboard.press('Enter');
      await expect.poll(() => page.getByRole('alertdialog').count(), SOON).toBe(0);
      expect(await keyNamed('Scoreboard')).toMatchObject({ scopes: ['media.read'], expires_at: null });
      // The focus is not lost: the next Tab is at the first thing of the page.
      const keysPage = page.getByRole('region', { name: 'API keys' });
      await expect.poll(() => hasFocus(keysPage), SOON).toBe(true);
      await page.keyboard.press('Tab');
      await expect.poll(() => hasFocus(button('New API key')), SOON).toBe(true);
      opened.checkConsole();
    });

    test('a webhook whose URL may not be posted to is refused at its field', async () => {
      await go('/admin/webhooks');
      await page.getByText('No webhook yet').waitFor();
      await opened.checkAccessibility();
      await button('New webhook').click();
      await field('Name').fill('Club website');
      await field('URL').fill('http://10.0.0.1/hook');
      await button('Create the webhook').click();
      await page.getByText(/OUTBOUND_ALLOW/).waitFor();
      expect(await field('URL').getAttribute('aria-invalid')).toBe('true');
      expect(await webhooks()).toEqual([]);
      opened.checkConsole(/400/);
    });

    test('a webhook gets the events that were chosen, signed with the secret that was shown once', async () => {
      await field('URL').fill(`${receiver.url}/website`);
      await page.getByText('Only what is chosen').click();
      expect(await button('Create the webhook').isDisabled()).toBe(true);
      await page.getByRole('checkbox', { name: 'All of Photos and videos' }).click({ force: true });
      await button(/^Collections and saved searches/).click();
      await page.getByRole('checkbox', { name: /collection\.created/ }).click({ force: true });
      await opened.checkAccessibility();
      await opened.screenshot('admin-webhook-new');
      await button('Create the webhook').click();
      const secret = await takeSecret('Signing secret');
      expect(await webhooks()).toMatchObject([{ name: 'Club website', types: ['media.*', 'collection.created'] }]);
      await page.getByText('Nothing was sent yet').waitFor();

      await addCollection('Derby');
      const log = page.getByRole('grid', { name: 'Messages' });
      await log.getByRole('row').filter({ hasText: 'Delivered' }).waitFor();
      const [received] = receiver.received('/website');
      if (!received) throw new Error('nothing arrived');
      expect(verified(received, secret)).toMatchObject({ type: 'collection.created' });
      await log.getByRole('row').filter({ hasText: 'collection.created' }).click();
      await page.getByText('What is posted').waitFor();
      const shown: unknown = JSON.parse((await page.getByLabel('Payload').textContent()) ?? '');
      expect(shown).toEqual(JSON.parse(received.body));
      await opened.checkAccessibility();
      await opened.screenshot('admin-webhook-message');
      await page.keyboard.press('Escape');
      await expect.poll(() => page.getByRole('dialog').count(), SOON).toBe(0);
      // And by the keyboard: the row that was opened has the focus again.
      await expect.poll(() => log.getByRole('row').nth(1).locator(':focus').count(), SOON).toBe(1);
      await page.keyboard.press('Enter');
      await page.getByText('What is posted').waitFor();
      expect(page.url()).toContain('message=');
      await page.keyboard.press('Escape');
      await expect.poll(() => page.getByRole('dialog').count(), SOON).toBe(0);
      opened.checkConsole();
    });

    test('a test message says what came back, whatever it was', async () => {
      await button('Send a test').click();
      await page.getByText('The test message was taken in').waitFor();
      receiver.answer('/website', (response) => response.writeHead(503).end('Database is away'));
      await button('Send a test').click();
      await page.getByText('The test message was not taken in').waitFor();
      await page.getByText('Database is away').waitFor();
      const types = receiver.received('/website').map(({ body }) => (JSON.parse(body) as { type: string }).type);
      expect(types.filter((type) => type === 'webhook.ping')).toHaveLength(2);
      opened.checkConsole();
    });

    test('a message that fails is seen failing, and arrives when it is sent again', async () => {
      await addCollection('Cup');
      const log = page.getByRole('grid', { name: 'Messages' });
      await log.getByRole('row').filter({ hasText: '503' }).first().waitFor();
      await page.getByText('Failing', { exact: true }).waitFor();
      await opened.screenshot('admin-webhook-failing');
      await opened.checkAccessibility();
      receiver.answer('/website', 204);
      await button(/Which messages/).click();
      await choice(page, 'Waiting').click();
      await expect.poll(() => page.url(), SOON).toContain('state=pending');
      await button(/Which messages/).click();
      await choice(page, 'All messages').click();
      await log.getByRole('row').nth(1).click();
      const before = (await messages())[0]?.['attempts'].length;
      await button('Send again').click();
      await expect
        .poll(async () => {
          const [message] = await messages();
          return message?.['state'] === 'delivered' && message['attempts'].length > before;
        }, SOON)
        .toBe(true);
      await page.getByRole('dialog').getByText('Delivered', { exact: true }).waitFor();
      await page
        .getByRole('dialog')
        .getByText(/^503 in/)
        .first()
        .waitFor();
      await page.keyboard.press('Escape');
      await page.getByText('Active', { exact: true }).waitFor();
      opened.checkConsole();
    });

    test('a webhook is changed, gets a new secret, is disabled and enabled, and all is sent again', async () => {
      await button('Change…').click();
      await field('Name').fill('Club site');
      await button('Save').click();
      await page.getByRole('heading', { name: 'Club site', exact: true }).waitFor();
      expect(await webhooks()).toMatchObject([{ name: 'Club site', types: ['media.*', 'collection.created'] }]);

      await button('More').click();
      await page.getByRole('menuitem', { name: 'New secret…' }).click();
      await button('Make a new secret').click();
      const secret = await takeSecret('Signing secret');
      await page.getByText('The old secret signs until').waitFor();

      await button('More').click();
      await page.getByRole('menuitem', { name: 'Disable' }).click();
      await page.getByText(/It was disabled on .* by hand/).waitFor();
      await expect.poll(async () => (await webhooks())[0]?.['status'], SOON).toBe('disabled');
      await addCollection('While it was away');
      await opened.checkAccessibility();
      await button('Enable').click();
      await expect
        .poll(async () => (await messages()).map((one) => one['state']), SOON)
        .toEqual(['delivered', 'delivered', 'delivered']);
      const newest = (await messages())[0]?.['message_id'];
      const received = receiver.received('/website').find(({ id }) => id === newest);
      if (!received) throw new Error('nothing arrived');
      expect(verified(received, secret)).toMatchObject({ type: 'collection.created' });

      const count = receiver.received('/website').length;
      await button('More').click();
      await page.getByRole('menuitem', { name: 'Send all kept events again…' }).click();
      await button('Send again').click();
      await page.getByText('3 messages will be sent.').waitFor();
      await expect.poll(() => receiver.received('/website').length, SOON).toBe(count + 3);
      opened.checkConsole();
    });

    test('a webhook is deleted after a question', async () => {
      await button('More').click();
      await page.getByRole('menuitem', { name: 'Delete…' }).click();
      await button('Delete').click();
      await page.getByText('No webhook yet').waitFor();
      expect(await webhooks()).toEqual([]);
      // A look at its log may have been under way.
      opened.checkConsole(/404/);
    });

    test('usage has the figures that the API has', async () => {
      const photo = await uploadMedia(browser.service, await plainPhoto(1));
      const binned = await uploadMedia(browser.service, await plainPhoto(2));
      await browser.service.call('DELETE', `/v1/media/${binned['id']}`);
      await go('/admin/usage');
      const states = page.getByRole('grid', { name: 'Photos and videos by state' });
      await states.getByRole('row', { name: /In the bin/ }).waitFor();
      expect(await states.getByRole('row', { name: /Ready/ }).textContent()).toBe('Ready101');
      expect(await states.getByRole('row', { name: /In the bin/ }).textContent()).toBe('In the bin101');
      const originals = page
        .getByRole('grid', { name: 'Storage by kind of file' })
        .getByRole('row', { name: /Originals/ });
      const bytes = photo['bytes'] + binned['bytes'];
      expect(await originals.textContent()).toBe(`Originals2${bytes} bytes`);
      await button('The figures as a table').click();
      const today = page.getByRole('grid', { name: 'Searches and requests' }).getByRole('row').nth(1);
      expect(Number((await today.getByRole('gridcell').first().textContent())?.replaceAll(',', ''))).toBeGreaterThan(0);
      await button(/The last 30 days/).click();
      await choice(page, 'The last 7 days').click();
      await expect
        .poll(() => page.getByRole('grid', { name: 'Searches and requests' }).getByRole('row').count(), SOON)
        .toBe(8);
      expect(page.url()).toContain('days=7');
      await opened.screenshot('admin-usage');
      await opened.checkAccessibility();
      opened.checkConsole();
    });

    test('the own key is revoked only by who says so twice, and signs them out', async () => {
      const key = await browser.service.createKey();
      const other = await browser.open('/admin', { size: 'phone', theme: 'dark', signedIn: false });
      try {
        await other.signIn(key);
        const own = other.page.getByRole('listitem').filter({ hasText: 'This key' });
        await own.getByRole('button', { name: /^Revoke/ }).click();
        await other.page.getByText('This is the key you are signed in with.').waitFor();
        expect(await button('Revoke for good', other.page).isDisabled()).toBe(true);
        await other.screenshot('admin-key-revoke');
        await other.checkAccessibility();
        await other.page.getByText('Revoke it, and sign me out').click();
        await button('Revoke for good', other.page).click();
        await button('Sign in', other.page).waitFor();
        expect((await browser.service.call('GET', '/v1/me', { key })).status).toBe(401);
        other.checkConsole(/401/);
      } finally {
        await other.close();
      }
    });

    test('a key without the scope is told so, and nothing is asked for in vain', async () => {
      const key = await browser.service.createKey({ scopes: ['media.read'] });
      for (const path of PATHS) {
        const other = await browser.open(path, { signedIn: false });
        try {
          await other.signIn(key);
          await other.page.getByRole('heading', { name: /^This key may not see/ }).waitFor();
          await other.page.getByText('media.read').waitFor();
          await other.checkAccessibility();
          other.checkConsole();
        } finally {
          await other.close();
        }
      }
    });

    test('each page reads well on a phone in the dark', async () => {
      await browser.service.call('POST', '/v1/webhook', {
        body: { name: 'Screens', url: `${receiver.url}/screens`, types: ['collection.*'] },
      });
      const phone = await browser.open('/admin', { size: 'phone', theme: 'dark' });
      try {
        await phone.page.getByRole('heading', { name: /in use$/ }).waitFor();
        for (const name of ['API keys', 'Webhooks', 'Usage']) {
          await phone.page.getByRole('link', { name, exact: true }).click();
          await phone.page
            .getByText(/in use$|Screens|^Compared$/)
            .first()
            .waitFor();
          await phone.screenshot(`admin-${name.toLowerCase().replace(' ', '-')}`);
          await phone.checkAccessibility();
          const wide = await phone.page.evaluate<number>('document.documentElement.scrollWidth');
          expect(wide, name).toBeLessThanOrEqual(390);
        }
        phone.checkConsole();
      } finally {
        await phone.close();
      }
    });
  },
);
