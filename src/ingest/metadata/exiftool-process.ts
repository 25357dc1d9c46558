import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { ExifTool, exiftoolPath } from 'exiftool-vendored';
import { type Logger, messageOf, MIB, SECOND_MS } from '../../base/index.ts';

const runFile = promisify(execFile);
const START_TIMEOUT_MS = 20 * SECOND_MS;
/** ExifTool takes 60 MB, and more only for a file that is made to fill memory. */
const MAX_MEMORY_BYTES = 768 * MIB;

export type ExifToolProcess = {
  /** ExifTool, started at the first call; undefined where it does not run (it needs perl). */
  ready(): Promise<ExifTool | undefined>;
  close(): Promise<void>;
};

/** ExifTool is kept once it runs; `timeoutMs` limits one file, `maxProcesses` the perl processes. */
export function createExifToolProcess(options: {
  readonly logger: Logger;
  readonly timeoutMs: number;
  readonly maxProcesses: number;
  /** Another ExifTool than the bundled one. */
  readonly exiftoolPath?: string | undefined;
}): ExifToolProcess {
  const { logger } = options;
  let exiftool: ExifTool | undefined;
  let started: Promise<ExifTool | undefined> | undefined;

  const start = async (): Promise<ExifTool | undefined> => {
    try {
      const path = options.exiftoolPath ?? (await exiftoolPath());
      // A trial run: without perl the persistent process would fail with an event that nobody can catch.
      const { stdout } = await runFile(path, ['-ver'], { timeout: START_TIMEOUT_MS });
      logger.debug({ version: stdout.trim() }, 'metadata.exiftool_started');
      exiftool = new ExifTool({
        exiftoolPath: path,
        maxProcs: options.maxProcesses,
        taskTimeoutMillis: options.timeoutMs,
        // A file that hangs or crashes ExifTool once does so again.
        taskRetries: 0,
      });
      // A pipe ends anywhere; read as bytes, a letter that two chunks share would become two broken ones.
      exiftool.on('childStart', ({ proc }) => {
        proc.stdout?.setEncoding('utf8');
        if (proc.pid !== undefined) limitMemory(proc.pid, logger);
      });
    } catch (error) {
      logger.warn({ reason: messageOf(error) }, 'metadata.exiftool_missing');
    }
    return exiftool;
  };

  return {
    ready: () => (started ??= start()),
    async close() {
      await started;
      await exiftool?.end(true);
      exiftool = undefined;
    },
  };
}

/** Of a process that runs already, by util-linux; other systems than Linux go without. */
function limitMemory(pid: number, logger: Logger): void {
  execFile('prlimit', ['--pid', String(pid), `--as=${MAX_MEMORY_BYTES}`], (error) => {
    if (error) logger.debug({ reason: error.message }, 'metadata.exiftool_unlimited');
  });
}
