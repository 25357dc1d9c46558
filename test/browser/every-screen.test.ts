/** Every screen, walked through by the Tab key alone, on a desk and on a phone. */
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Json } from '../support/app.ts';
import { type BrowserService, SIZES, startSampleInBrowser } from '../support/browser.ts';
import { findBrowser } from '../support/chromium.ts';
import { searchMedia } from '../support/library.ts';

const missing = findBrowser() === undefined ? 'skipped: chromium is missing (apt-get install chromium)' : undefined;
/** More stops than any screen has: a walk that is longer goes in circles. */
const MOST_STOPS = 400;

/** What is asked in the page at each stop. */
const AT_STOP = `(() => {
  const at = document.activeElement;
  if (!at || at === document.body) return null;
  const stops = (window.stops ??= new Map());
  const isNew = !stops.has(at);
  if (isNew) stops.set(at, stops.size);
  const isMark = (style) => (style.outlineStyle !== 'none' && parseFloat(style.outlineWidth) > 0) || style.boxShadow !== 'none';
  const marks = (one) => [undefined, '::before', '::after'].some((part) => isMark(getComputedStyle(one, part)));
  const active = document.getElementById(at.getAttribute('aria-activedescendant') ?? '');
  const around = [active, at, at.parentElement, at.parentElement?.parentElement, at.parentElement?.parentElement?.parentElement].filter(Boolean);
  const focused = at.closest('[data-focus-visible], [data-focus-within], :focus-within');
  const isMarked = around.some(marks) || [...(focused?.children ?? [])].some(marks);
  const box = (at.matches('input') && at.closest('label') ? at.closest('label') : at).getBoundingClientRect();
  const isInView = box.bottom > 0 && box.right > 0 && box.top < innerHeight && box.left < innerWidth;
  const name = at.getAttribute('aria-label') ?? at.textContent?.trim().slice(0, 40) ?? '';
  return { isNew, isMarked, isInView, what: at.tagName.toLowerCase() + ' ' + (at.getAttribute('role') ?? '') + ' "' + name + '"' };
})()`;

/** What can be reached by Tab and was not, and what only a mouse can press. */
const LEFT_OUT = `(() => {
  const isSeen = (one) => one.checkVisibility({ visibilityProperty: true, opacityProperty: true }) && one.getClientRects().length > 0;
  const say = (one) => one.tagName.toLowerCase() + ' ' + one.className + ' "' + (one.getAttribute('aria-label') ?? one.textContent ?? '').trim().slice(0, 40) + '"';
  const stops = window.stops ?? new Map();
  const missed = [...document.querySelectorAll('a[href], button, input, select, textarea, [tabindex]')].filter(
    (one) => one.tabIndex >= 0 && !one.disabled && isSeen(one) && !one.closest('[inert], [aria-hidden="true"]')
      // Of these, arrows lead from one to the next: radios, and what is in a row.
      && one.type !== 'radio' && one.type !== 'file' && !one.closest('[role="row"]') && !stops.has(one),
  );
  const reachable = 'a[href], button, input, select, textarea, label, summary, [tabindex], [role="option"], [role="row"], [role="gridcell"], [role="tab"]';
  const mouseOnly = [...document.querySelectorAll('main *')].filter(
    (one) => getComputedStyle(one).cursor === 'pointer' && isSeen(one) && !one.closest(reachable) && !one.closest('[disabled], [aria-disabled="true"]'),
  );
  return { missed: missed.map(say), mouseOnly: mouseOnly.map(say) };
})()`;

type Stop = { readonly isNew: boolean; readonly isMarked: boolean; readonly isInView: boolean; readonly what: string };

/** Waits until nothing has been added for a while; the network is never idle, since the page listens to events. */
async function settle(page: Page): Promise<void> {
  const count = () => page.evaluate<number>('document.querySelectorAll("*").length');
  let before = -1;
  await expect
    .poll(
      async () => {
        const now = await count();
        const isSame = now === before;
        before = now;
        return isSame;
      },
      { interval: 700 },
    )
    .toBe(true);
}

/** Presses Tab until the focus leaves the page; the stops that were not known before. */
async function walk(page: Page): Promise<readonly Stop[]> {
  const stops: Stop[] = [];
  await page.evaluate('document.activeElement?.blur?.()');
  for (let step = 0; step < MOST_STOPS; step += 1) {
    await page.keyboard.press('Tab');
    const stop = await page.evaluate<Stop | null>(AT_STOP);
    if (!stop) return stops;
    if (stop.isNew) stops.push(stop);
  }
  throw new Error(`expected a walk of at most ${MOST_STOPS} stops`);
}

describe.skipIf(missing !== undefined)(`every screen${missing === undefined ? '' : ` (${missing})`}`, () => {
  let browser: BrowserService;
  let assets: { readonly photo: Json; readonly video: Json };
  beforeAll(async () => {
    browser = await startSampleInBrowser();
    const first = async (media_type: string) => (await searchMedia(browser.service, { media_type }))['media'][0];
    assets = { photo: await first('photo'), video: await first('video') };
  }, 400_000);
  afterAll(() => browser?.close());

  const screens = [
    ['the library', () => '/'],
    ['a photo', () => `/asset/${assets.photo['id']}`],
    ['a video', () => `/asset/${assets.video['id']}`],
    ['upload', () => '/upload'],
    ['deliveries', () => '/deliver'],
    ['destinations', () => '/deliver/destinations'],
    ['rules', () => '/deliver/rules'],
    ['API keys', () => '/admin'],
    ['webhooks', () => '/admin/webhooks'],
    ['the taxonomy', () => '/admin/taxonomy'],
    ['the roster', () => '/admin/roster'],
    ['usage', () => '/admin/usage'],
  ] as const;

  for (const size of ['desktop', 'phone'] as const) {
    test.each(screens)(`%s is walked through by keys on a ${size}`, async (name, path) => {
      const opened = await browser.open(path(), { size });
      const { page } = opened;
      await page.getByRole('main').waitFor();
      await settle(page);
      await opened.screenshot(`screen-${name.toLowerCase().replaceAll(' ', '-')}`);
      // Twice: what the first walk has selected on its way may be a stop of its own from then on.
      const stops = [...(await walk(page)), ...(await walk(page))];
      expect(stops.length).toBeGreaterThan(5);
      expect(
        stops.filter(({ isMarked }) => !isMarked).map(({ what }) => what),
        'not seen to have the focus',
      ).toEqual([]);
      expect(
        stops.filter(({ isInView }) => !isInView).map(({ what }) => what),
        'out of view',
      ).toEqual([]);
      expect(await page.evaluate(LEFT_OUT)).toEqual({ missed: [], mouseOnly: [] });
      for (const part of ['documentElement', 'querySelector("main")', 'querySelector("main > *")']) {
        expect(await page.evaluate(`document.${part}.scrollWidth`), part).toBeLessThanOrEqual(SIZES[size].width);
      }
      opened.checkConsole();
      await opened.close();
    });
  }
});
