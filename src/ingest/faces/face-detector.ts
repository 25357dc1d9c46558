import { type Logger, messageOf, MINUTE_MS } from '../../base/index.ts';
import { createWorkerProcess } from '../worker-process.ts';
import type { Face, FaceBox } from './face-boxes.ts';

/** A probe is answered with no faces as soon as the model stands. */
export type FaceRequest =
  | { readonly kind: 'detect'; readonly path: string }
  | { readonly kind: 'describe'; readonly path: string; readonly faces: readonly FaceBox[] }
  | { readonly kind: 'probe' };

/** What a request is answered with; descriptors as lists, which a message can hold. */
export type FaceReply = {
  readonly faces: readonly Face[];
  readonly descriptors: readonly (readonly number[] | null)[];
};

export type FaceDetector = {
  /**
   * The faces of a JPEG, PNG, WebP, TIFF or AVIF file (best: the 2048 px tier), most prominent first, at most 100.
   * @throws AppError `file_damaged` when it cannot be decoded, `unavailable` when the detector crashed or ran out of time.
   */
  detect(path: string, signal?: AbortSignal): Promise<readonly Face[]>;
  /**
   * What the faces of a file look like: 128 numbers each, in their order; undefined for those below 48 pixels. Those of one
   * person are close together (Euclidean), mostly below 0.6.
   * @throws AppError as `detect`
   */
  describe(
    path: string,
    faces: readonly FaceBox[],
    signal?: AbortSignal,
  ): Promise<readonly (Float32Array | undefined)[]>;
  /** Whether the native inference library and the model load on this platform (forks the child). */
  available(): Promise<boolean>;
  close(): Promise<void>;
};

/** Long enough that a folder of photos is one child, short enough that a quiet service does not hold its 0.4 GB. */
const IDLE_MS = MINUTE_MS;

/** Detects in a child process that starts at the first use (0.5 s) and ends when idle; `timeoutMs` limits one picture. */
export function createFaceDetector(options: { readonly logger: Logger; readonly timeoutMs: number }): FaceDetector {
  const { logger, timeoutMs } = options;
  const worker = createWorkerProcess<FaceRequest, FaceReply>({
    name: 'face detector',
    module: new URL('worker.ts', import.meta.url),
    logger,
    timeoutMs,
    idleMs: IDLE_MS,
  });
  return {
    detect: async (path, signal) => (await worker.request({ kind: 'detect', path }, signal)).faces,
    async describe(path, found, signal) {
      // Only what the network needs goes to the child.
      const faces = found.map(({ x, y, w, h }) => ({ x, y, w, h }));
      const { descriptors } = await worker.request({ kind: 'describe', path, faces }, signal);
      return descriptors.map((one) => (one ? Float32Array.from(one) : undefined));
    },
    async available() {
      try {
        await worker.request({ kind: 'probe' });
        return true;
      } catch (error) {
        logger.warn({ reason: messageOf(error) }, 'faces.unavailable');
        return false;
      }
    },
    close: () => worker.close(),
  };
}
