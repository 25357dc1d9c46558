import { AppError, messageOf } from '../../base/index.ts';
import { MAX_INPUT_PX } from './pixels.ts';

/** Says what a failure means to the caller; undefined: the file itself may be damaged. */
export function refusal(error: unknown): unknown {
  if (error instanceof AppError) return error;
  const text = messageOf(error);
  // Our own faults, not the file's: a path that is not there, a plan that does not belong to the source.
  if (/input file is missing|bad extract area/i.test(text)) return error;
  const cause = { cause: error };
  if (/exceeds pixel limit/i.test(text)) {
    const limit = MAX_INPUT_PX.toLocaleString('en');
    return new AppError(
      'file_limits_exceeded',
      `expected at most ${limit} pixels for the source, received more`,
      cause,
    );
  }
  if (/timeout: \d+% complete/i.test(text)) {
    return new AppError('file_limits_exceeded', 'expected the source to render in time, received a slower one', cause);
  }
  if (/unsupported image format|operation is blocked/i.test(text)) {
    const expected = 'expected JPEG, PNG, WebP, GIF, TIFF or AVIF for the source, received another format';
    return new AppError('unsupported_media_type', expected, cause);
  }
  return undefined;
}
