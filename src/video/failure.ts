import { AppError } from '../base/index.ts';
import type { ToolRun } from './process.ts';

/** The error of a run of ffmpeg that ended with another status than 0, after ffprobe had accepted the file. */
export function failureOf(run: ToolRun): AppError {
  const stderr = run.stderr.trim();
  const cause = new Error(`ffmpeg ended with ${run.exitSignal ?? `status ${run.exitCode}`}: ${stderr}`);
  if (/No space left on device|Disk quota exceeded/i.test(stderr)) {
    return new AppError('unavailable', 'expected room for the output, received a full disk', { cause });
  }
  if (/Unknown encoder|No such filter|Unrecognized option|Encoder not found/i.test(stderr)) {
    return new AppError('capability_missing', 'expected an ffmpeg with libx264, received one without', { cause });
  }
  if (/Decoder .*not found|Decoding requested, but no decoder/i.test(stderr)) {
    return new AppError('unsupported_media_type', 'expected a video codec that can be decoded, received another', {
      cause,
    });
  }
  // Killed from outside (out of memory, shutdown): the file is not to blame and another try may succeed.
  if (run.exitSignal !== null) return new AppError('unavailable', 'expected ffmpeg to end by itself', { cause });
  return new AppError('file_damaged', 'expected a video that can be decoded, received a damaged one', { cause });
}
