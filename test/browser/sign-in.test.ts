import { afterAll, beforeAll, expect, test } from 'vitest';
import { type BrowserService, startSampleInBrowser } from '../support/browser.ts';

let browser: BrowserService;

beforeAll(async () => {
  browser = await startSampleInBrowser();
});

afterAll(() => browser?.close());

test('a key that is pasted opens the library, and signing out forgets it', async () => {
  const { page, signIn, checkConsole, close } = await browser.open('/', { signedIn: false });
  await page.getByRole('heading', { name: 'Touchline' }).waitFor();
  await signIn();
  await page.getByRole('option').first().waitFor();
  expect(page.url()).not.toContain('tl_');
  await page.getByRole('button', { name: 'Session and theme' }).click();
  await page.getByRole('dialog', { name: 'Session' }).getByText('media.read').waitFor();
  await page.getByRole('button', { name: 'Sign out' }).click();
  await page.getByLabel('API key').waitFor();
  expect(await page.evaluate('JSON.stringify({ ...sessionStorage, ...localStorage })')).not.toContain('tl_');
  checkConsole();
  await close();
});

test('a key is kept in the tab by choice only', async () => {
  const { page, signIn, close } = await browser.open('/', { signedIn: false });
  await page.getByText('Keep it in this tab').click();
  await signIn();
  await page.reload();
  await page.getByLabel('API key').waitFor();
  await signIn();
  await page.getByRole('option').first().waitFor();
  await page.reload();
  await page.getByRole('navigation', { name: 'Screens' }).waitFor();
  await close();
});

test('a key that is refused says why, and the next one is taken', async () => {
  const { page, signIn, checkConsole, close } = await browser.open('/', { signedIn: false });
  await page.getByLabel('API key').fill('tl_nobody');
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByText('The API key is unknown, revoked or expired.').waitFor();
  expect(await page.getByLabel('API key').getAttribute('aria-invalid')).toBe('true');
  await signIn();
  checkConsole(/401/);
  await close();
});

test('a key that is revoked while it is used ends the session', async () => {
  const key = await browser.service.createKey({ scopes: ['media.read'] });
  const { page, signIn, checkConsole, close } = await browser.open('/', { signedIn: false });
  await signIn(key);
  const { body: me } = await browser.service.call('GET', '/v1/me', { key });
  await browser.service.call('DELETE', `/v1/key/${me['api_key'].id}`);
  await page.reload();
  await page.getByText('no longer takes the key').waitFor();
  checkConsole(/401/);
  await close();
});

test('the keys of every screen are shown by ?', async () => {
  const { page, checkAccessibility, checkConsole, close } = await browser.open();
  await page.getByRole('option').first().waitFor();
  await page.keyboard.press('?');
  await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).getByText('Go to Upload').waitFor();
  await checkAccessibility();
  await page.keyboard.press('Escape');
  await page.keyboard.press('g');
  await page.keyboard.press('u');
  await expect.poll(() => new URL(page.url()).pathname).toBe('/upload');
  checkConsole();
  await close();
});

for (const size of ['desktop', 'phone'] as const) {
  for (const theme of ['light', 'dark'] as const) {
    test(`the sign-in is in order on a ${size} in the ${theme} theme`, async () => {
      const { page, screenshot, checkAccessibility, checkConsole, close } = await browser.open('/', {
        size,
        theme,
        signedIn: false,
      });
      await page.getByLabel('API key').waitFor();
      expect(await page.evaluate('document.documentElement.dataset.theme')).toBe(theme);
      await checkAccessibility();
      await screenshot('sign-in');
      checkConsole();
      await close();
    });
  }
}
