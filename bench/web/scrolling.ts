import { setTimeout as delay } from 'node:timers/promises';
import type { Page } from 'playwright-core';

/** Milliseconds from frame to frame, and of every task that held the page up for more than 50 ms. */
export type Scrolling = { readonly frames: readonly number[]; readonly longTasks: readonly number[] };

const START = `{
  window.measured = { frames: [], longTasks: [], isOn: true };
  let last = performance.now();
  const onFrame = (now) => {
    window.measured.frames.push(now - last);
    last = now;
    if (window.measured.isOn) requestAnimationFrame(onFrame);
  };
  requestAnimationFrame(onFrame);
  window.longTaskObserver?.disconnect();
  window.longTaskObserver = new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) window.measured.longTasks.push(entry.duration);
  });
  window.longTaskObserver.observe({ type: 'longtask' });
}`;

/** Turns the wheel over the grid, as fast as a mouse reports it, and measures every frame meanwhile. */
export async function measureScrolling(
  page: Page,
  wheel: { readonly stepPx: number; readonly steps: number },
): Promise<Scrolling> {
  await page.mouse.move(700, 500);
  await page.evaluate(START);
  for (let step = 0; step < wheel.steps; step += 1) {
    await page.mouse.wheel(0, wheel.stepPx);
    await delay(16);
  }
  const measured = await page.evaluate<Scrolling>('(window.measured.isOn = false, window.measured)');
  // The first frame began before the wheel did.
  return { frames: measured.frames.slice(1), longTasks: measured.longTasks };
}
