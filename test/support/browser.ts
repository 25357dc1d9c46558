import { existsSync } from 'node:fs';
import { mkdir, readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { AxeResults } from 'axe-core';
import { type Browser, type BrowserContext, chromium, type Locator, type Page } from 'playwright-core';
import { expect, vi } from 'vitest';
import type { TestApp } from './app.ts';
import { CHROMIUM_FLAGS, findBrowser } from './chromium.ts';
import { startSample } from './sample.ts';

/** A story in a browser takes its time on a machine that does other things meanwhile. */
vi.setConfig({ testTimeout: 120_000, hookTimeout: 420_000 });

const ROOT = join(import.meta.dirname, '..', '..');
/** Git-ignored: what a run leaves to be looked at. */
const SCREENSHOTS = join(ROOT, 'test', 'browser', 'screenshots');

export const SIZES = { desktop: { width: 1280, height: 800 }, phone: { width: 390, height: 844 } } as const;
export type Size = keyof typeof SIZES;
export type Theme = 'light' | 'dark';

export type OpenPage = {
  readonly page: Page;
  readonly context: BrowserContext;
  /** Pastes the key on the sign-in page and waits for the frame of the application. */
  signIn(key?: string): Promise<void>;
  /** Keeps a picture of the page as it is: `name-size-theme.png`. */
  screenshot(name: string): Promise<void>;
  /** Fails when axe finds anything serious or critical. */
  checkAccessibility(): Promise<void>;
  /** Fails on anything that the console said as an error since the last call, except what the test expects. */
  checkConsole(expected?: RegExp): void;
  close(): Promise<void>;
};

export type BrowserService = {
  readonly service: TestApp;
  /** As the user opens it; images come from the same origin. */
  readonly url: string;
  open(
    path?: string,
    options?: { readonly size?: Size; readonly theme?: Theme; readonly signedIn?: boolean },
  ): Promise<OpenPage>;
  close(): Promise<void>;
};

/**
 * A choice of the list that a field has opened, and never one of the same name in a list behind it: results and
 * actions are options too, and which of them are there depends on the library.
 */
export function choice(page: Page, name: string | RegExp, { exact = false } = {}): Locator {
  return page.locator('.ui-popover').getByRole('option', { name, exact });
}

function watchConsole(page: Page): string[] {
  const faults: string[] = [];
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning') faults.push(`${message.type()}: ${message.text()}`);
  });
  page.on('pageerror', (error) => faults.push(`thrown: ${error.message}`));
  return faults;
}

async function runAxe(page: Page): Promise<readonly string[]> {
  const source = await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
  // Without React Aria's announcer: it names what it reads aloud by elements that may be gone by then.
  // By the debugger's own door: the page's policy refuses foreign scripts.
  await page.evaluate(source);
  const results = await page.evaluate<AxeResults>(
    `axe.run({ exclude: [['[data-live-announcer]']] }, { resultTypes: ['violations'], runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'best-practice'] })`,
  );
  return results.violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(
      ({ id, help, nodes }) =>
        `${id}: ${help}\n${nodes.map((node) => `  ${node.html}\n  ${node.failureSummary}`).join('\n')}`,
    );
}

/** Opens pages on a service that runs; the caller closes it. */
export async function openBrowser(service: TestApp): Promise<BrowserService> {
  if (!existsSync(join(ROOT, 'web', 'dist', 'index.html'))) {
    throw new Error('expected web/dist, received none: run `node scripts/setup.mjs` first');
  }
  const executablePath = findBrowser();
  if (executablePath === undefined) throw new Error('expected chromium on the PATH, received none');
  const browser: Browser = await chromium.launch({ executablePath, args: [...CHROMIUM_FLAGS] });
  const url = service.url.replace('127.0.0.1', 'localhost');

  return {
    service,
    url,
    async open(path = '/', { size = 'desktop', theme = 'light', signedIn = true } = {}) {
      const context = await browser.newContext({
        viewport: SIZES[size],
        colorScheme: theme,
        reducedMotion: 'reduce',
        hasTouch: size === 'phone',
        isMobile: size === 'phone',
        locale: 'en-GB',
        timezoneId: 'UTC',
      });
      const page = await context.newPage();
      page.setDefaultTimeout(30_000);
      const faults = watchConsole(page);
      const opened: OpenPage = {
        page,
        context,
        async signIn(key = service.key) {
          await page.getByLabel('API key').fill(key);
          await page.getByRole('button', { name: 'Sign in' }).click();
          await page.getByRole('navigation', { name: 'Screens' }).waitFor();
        },
        async screenshot(name) {
          await mkdir(SCREENSHOTS, { recursive: true });
          await page.screenshot({ path: join(SCREENSHOTS, `${name}-${size}-${theme}.png`) });
        },
        async checkAccessibility() {
          expect(await runAxe(page)).toEqual([]);
        },
        checkConsole(expected) {
          const found = faults.splice(0).filter((text) => expected === undefined || !expected.test(text));
          expect(found).toEqual([]);
        },
        async close() {
          await context.close();
        },
      };
      await page.goto(url + path);
      if (signedIn) await opened.signIn();
      return opened;
    },
    async close() {
      await browser.close();
    },
  };
}

/** The service with the sample library, and a browser; once for a test file. */
export async function startSampleInBrowser(env: Readonly<Record<string, string>> = {}): Promise<BrowserService> {
  const service = await startSample(env);
  const browser = await openBrowser(service);
  return {
    ...browser,
    async close() {
      await browser.close();
      await service.close();
    },
  };
}
