import { type Logger, messageOf, MINUTE_MS } from '../../base/index.ts';
import { createWorkerProcess } from '../worker-process.ts';
import type { Face } from './face-boxes.ts';

/** A probe is answered with no faces as soon as the model stands. */
export type FaceRequest = { readonly kind: 'detect'; readonly path: string } | { readonly kind: 'probe' };

export type FaceDetector = {
  /**
   * The faces of a JPEG, PNG, WebP, TIFF or AVIF file (best: the 2048 px tier), most prominent first, at most 100.
   * @throws AppError `file_damaged` when it cannot be decoded, `unavailable` when the detector crashed or ran out of time.
   */
  detect(path: string, signal?: AbortSignal): Promise<readonly Face[]>;
  /** Whether the native inference library and the model load on this platform (forks the child). */
  available(): Promise<boolean>;
  close(): Promise<void>;
};

/** Long enough that a folder of photos is one child, short enough that a quiet service does not hold its 0.4 GB. */
const IDLE_MS = MINUTE_MS;

/** Detects in a child process that starts at the first use (0.5 s) and ends when idle; `timeoutMs` limits one picture. */
export function createFaceDetector(options: { readonly logger: Logger; readonly timeoutMs: number }): FaceDetector {
  const { logger, timeoutMs } = options;
  const worker = createWorkerProcess<FaceRequest, readonly Face[]>({
    name: 'face detector',
    module: new URL('worker.ts', import.meta.url),
    logger,
    timeoutMs,
    idleMs: IDLE_MS,
  });
  return {
    detect: (path, signal) => worker.request({ kind: 'detect', path }, signal),
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
