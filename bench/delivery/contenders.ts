import { join } from 'node:path';
import { type ProcessFigures, runMeasured } from './measured-process.ts';
import type { SessionResult, SessionTask } from './run-session.ts';
import type { SourceFile } from './source-files.ts';
import type { BenchTarget } from './targets.ts';

/** One copy of a set to a fresh place. */
export type Copy = {
  readonly kind: string;
  readonly target: BenchTarget;
  readonly folder: string;
  readonly files: readonly SourceFile[];
  readonly place: string;
  readonly concurrency: number;
};
export type CopyFigures = Omit<ProcessFigures, 'output'> & { readonly checked: string };
export type Contender = {
  readonly name: string;
  /** Does all that we do. */
  readonly isAlike?: true;
  copy(copy: Copy): Promise<CopyFigures>;
};

const SESSION = join(import.meta.dirname, 'run-session.ts');

/** A session of our channel. Times are those from opening to closing, since the service runs when a delivery comes; memory is all. */
const touchline: Contender = {
  name: 'touchline',
  async copy({ kind, target, files, place, concurrency }) {
    const { config, secrets } = target;
    const task: SessionTask = { kind, config, secrets, concurrency, place, files };
    const { output, ...figures } = await runMeasured(process.execPath, [SESSION], { input: JSON.stringify(task) });
    // Written by our own program, as the type says.
    const { verified, ...measured } = JSON.parse(output) as SessionResult;
    return { ...figures, ...measured, checked: verified.join(', ') };
  },
};

// A certificate bundle of the environment ends its S3 client before the first request.
const RCLONE_ENV = { RCLONE_CONFIG: '/dev/null', AWS_CA_BUNDLE: '' };

async function rclone({ target }: Copy, args: readonly string[]): Promise<ProcessFigures> {
  return runMeasured('rclone', args, { env: { ...RCLONE_ENV, ...target.rclone.env } });
}

const remoteOf = ({ target, place }: Copy): string =>
  target.rclone.root.endsWith(':') ? `${target.rclone.root}${place}` : `${target.rclone.root}/${place}`;

const tunedFlags = ({ target, concurrency }: Copy): readonly string[] => [
  `--transfers=${concurrency}`,
  `--checkers=${concurrency}`,
  // It looks at nothing that is there already: the quickest that it can.
  '--no-check-dest',
  ...target.tuned,
];

const rcloneDefaults: Contender = {
  name: 'rclone',
  async copy(copy) {
    const { output: _, ...figures } = await rclone(copy, ['copy', copy.folder, remoteOf(copy)]);
    return { ...figures, checked: copy.target.rcloneChecks };
  },
};

const rcloneTuned: Contender = {
  name: 'rclone, tuned',
  async copy(copy) {
    const { output: _, ...figures } = await rclone(copy, ['copy', copy.folder, remoteOf(copy), ...tunedFlags(copy)]);
    return { ...figures, checked: copy.target.rcloneChecks };
  },
};

/** Like for like where rclone looks at sizes alone: what it says itself to do to be sure of the bytes. */
const rcloneChecked: Contender & { readonly isAlike: true } = {
  isAlike: true,
  name: 'rclone, tuned, then check',
  async copy(copy) {
    const sent = await rclone(copy, ['copy', copy.folder, remoteOf(copy), ...tunedFlags(copy)]);
    const flags = ['--download', '--one-way', `--checkers=${copy.concurrency}`];
    const checked = await rclone(copy, ['check', ...flags, copy.folder, remoteOf(copy)]);
    return {
      seconds: sent.seconds + checked.seconds,
      cpuSeconds: sent.cpuSeconds + checked.cpuSeconds,
      peakMiB: Math.max(sent.peakMiB, checked.peakMiB),
      checked: 'read back',
    };
  },
};

/** Like for like in a folder: what we call delivered is on the disk. */
const rcloneSynced: Contender & { readonly isAlike: true } = {
  isAlike: true,
  name: 'rclone, tuned, then sync',
  async copy(copy) {
    const sent = await rclone(copy, ['copy', copy.folder, remoteOf(copy), ...tunedFlags(copy)]);
    const place = `${copy.target.rclone.root}/${copy.place}`;
    const synced = await runMeasured('find', [place, '-type', 'f', '-exec', 'sync', '{}', '+']);
    return {
      seconds: sent.seconds + synced.seconds,
      cpuSeconds: sent.cpuSeconds + synced.cpuSeconds,
      peakMiB: sent.peakMiB,
      checked: 'checksum, on the disk',
    };
  },
};

export function contendersOf(target: BenchTarget): readonly Contender[] {
  const { peer } = target;
  const other: Contender | undefined = peer && {
    name: peer.name,
    async copy({ folder, place }) {
      const { command, args, input } = peer.command(folder, place);
      const { output: _, ...figures } = await runMeasured(command, args, input === undefined ? {} : { input });
      return { ...figures, checked: 'nothing' };
    },
  };
  return [
    touchline,
    rcloneDefaults,
    rcloneTuned,
    ...(target.rest === 'check' ? [rcloneChecked] : []),
    ...(target.rest === 'sync' ? [rcloneSynced] : []),
    ...(other ? [other] : []),
  ];
}

export const sessionContender = touchline;
