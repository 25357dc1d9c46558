/**
 * A process that renders one hostile file after the other and says how each ended, how long it took, and how much memory the
 * process had at its most meanwhile. It ends with the channel to its parent.
 */
import { readFile, writeFile } from 'node:fs/promises';
import sharp from 'sharp';
import { AppError, checkPictureLimits } from '../../../src/base/index.ts';
import { createRenderer, parseRecipe, planRender } from '../../../src/images/index.ts';

export type RenderTask = { readonly path: string; readonly query: Readonly<Record<string, string>> };
export type RenderOutcome = {
  /** `picture`, an error code, or what else was thrown. */
  readonly outcome: string;
  readonly ms: number;
  readonly peakMiB: number;
};

const renderer = createRenderer();

/** The most that was resident since `forgetPeak`; Linux, proc(5). */
async function peakMiB(): Promise<number> {
  const status = await readFile('/proc/self/status', 'utf8');
  return Number(/^VmHWM:\s+(\d+) kB/m.exec(status)?.[1]) / 1024;
}
const forgetPeak = () => writeFile('/proc/self/clear_refs', '5');

/** The size as ingest notes it; where a header says none, what somebody else might have noted. */
async function sizeOf(bytes: Buffer): Promise<{ readonly width: number; readonly height: number }> {
  try {
    await checkPictureLimits(bytes);
    const { width, height, autoOrient } = await sharp(bytes, { failOn: 'none', limitInputPixels: false }).metadata();
    return autoOrient ?? { width, height };
  } catch {
    return { width: 640, height: 480 };
  }
}

async function render({ path, query }: RenderTask): Promise<string> {
  const source = await readFile(path);
  const recipe = parseRecipe(query);
  const { width, height } = await sizeOf(source);
  const original = { width: Math.max(1, width), height: Math.max(1, height) };
  if (recipe.trim !== undefined) {
    await renderer.findContent({ source, threshold: recipe.trim, turn: recipe.turn, original });
  }
  const face = { x: 0.3, y: 0.2, w: 0.2, h: 0.3, score: 1 };
  const plan = planRender({ recipe, source: original, faces: [face], focal: undefined });
  const { redact, blurPx, background, quality, maxBytes, animated, metadata } = recipe;
  const picture = await renderer.render({
    source,
    plan,
    format: recipe.format === 'auto' ? 'jpeg' : recipe.format,
    quality,
    maxBytes,
    animated,
    metadata,
    effects: { background, blurPx, redact: redact && { faces: [face], style: redact.style } },
  });
  const made = await sharp(picture.bytes).metadata();
  // What has to fit into a number of bytes may become smaller.
  if (maxBytes !== undefined) return 'picture';
  const isWhole = made.width === plan.output.width && (made.pageHeight ?? made.height) === plan.output.height;
  return isWhole
    ? 'picture'
    : `a picture of ${made.width}x${made.height} for ${plan.output.width}x${plan.output.height}`;
}

process.on('message', (task: RenderTask) => {
  void (async () => {
    await forgetPeak();
    const startedMs = performance.now();
    const outcome = await render(task).catch((error: unknown) =>
      error instanceof AppError ? error.code : `thrown: ${String(error)}`,
    );
    const answer: RenderOutcome = { outcome, ms: performance.now() - startedMs, peakMiB: await peakMiB() };
    process.send?.(answer);
  })();
});
process.send?.('ready');
