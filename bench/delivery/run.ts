/**
 * One large file and many small ones to a real server of each kind: a session of our channel, which checks what has arrived, beside
 * rclone and the kind's own program. They take turns on the same server. `--quick` takes less of everything, `--kinds=s3,sftp`
 * some kinds, `--memory` adds the peak of our memory by size of the file. TMPDIR decides where files and servers' data lie.
 */
import { mkdir, mkdtemp, readFile, rm } from 'node:fs/promises';
import { availableParallelism, loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { createChannels } from '../../src/delivery/channels/index.ts';
import { median } from '../search/statistics.ts';
import { type Copy, type CopyFigures, contendersOf, sessionContender } from './contenders.ts';
import { runMeasured } from './measured-process.ts';
import { type SourceFile, writeSourceFiles } from './source-files.ts';
import { BENCH_KINDS, type BenchKind, missingPeer } from './targets.ts';

type FileSet = { readonly name: string; readonly files: number; readonly bytes: number; readonly bar: number };
type Effort = {
  readonly rounds: number;
  readonly sets: readonly FileSet[];
  readonly memoryBytes: readonly number[];
};
type Workload = { readonly seed: number; readonly concurrency: number; readonly full: Effort; readonly quick: Effort };

const say = (line: string) => console.log(line);
const flag = (name: string): string | undefined =>
  process.argv.find((argument) => argument.startsWith(`--${name}=`))?.slice(name.length + 3);
// Checked in with this program, as the type says.
const workload = JSON.parse(await readFile(join(import.meta.dirname, 'workload.json'), 'utf8')) as Workload;
const effort = process.argv.includes('--quick') ? workload.quick : workload.full;
const concurrency = Number(flag('concurrency') ?? workload.concurrency);
const rounds = Number(flag('rounds') ?? effort.rounds);
const kinds = flag('kinds')?.split(',') ?? [...BENCH_KINDS.keys()];
const sets = effort.sets.filter(({ name }) => name.includes(flag('sets') ?? ''));
const never = new AbortController().signal;

/** Every file of the set is at its place in its length; the session and rclone's check have seen the bytes. Then they make room. */
async function expectArrived({ kind, target, files, place }: Copy, who: string): Promise<void> {
  const channel = createChannels({ folders: ['/'] }).get(kind);
  const session = await channel?.open({ config: target.config, secrets: target.secrets, concurrency, signal: never });
  for (const { name, bytes } of files) {
    const found = await session?.stat(`${place}/${name}`, never);
    if (found?.bytes !== bytes) throw new Error(`${who}: expected ${bytes} bytes of ${name}, received ${found?.bytes}`);
    if (target.empty) await target.empty(`${place}/${name}`);
    else await session?.remove(`${place}/${name}`, never);
  }
  await session?.close();
}

/**
 * The same memory for all. The host of a virtual machine takes back what lay free for a second or two, and has to find it again for the
 * first who writes: 1.5 ms for each MB were measured, more than sending it takes. Those behind him would get what he has left.
 * The files are emptied and not removed: ext4 without a journal goes through the inodes that were freed within about a minute for each
 * new file, which took as much of the processor as the whole copy.
 */
async function touchMemory(folder: string): Promise<void> {
  const copy = `${folder}-touched`;
  await runMeasured('cp', ['--recursive', '--no-target-directory', '--reflink=never', folder, copy]);
  await runMeasured('find', [copy, '-type', 'f', '-exec', 'truncate', '--size=0', '{}', '+']);
}

type Row = { readonly name: string; readonly isAlike: boolean; readonly figures: readonly CopyFigures[] };

async function measureSet(one: BenchKind, set: FileSet, source: Source): Promise<readonly Row[]> {
  const target = await one.start();
  const failures = new Map<string, string>();
  const rows: (Row & { readonly figures: CopyFigures[] })[] = [];
  try {
    const contenders = contendersOf(target);
    for (const { name, isAlike = false } of contenders) rows.push({ name, isAlike, figures: [] });
    // A server gets its own memory with the first files, which would be to the cost of whoever sends them.
    const first: Copy = { kind: one.kind, target, ...source, place: 'first', concurrency };
    await sessionContender.copy(first);
    await expectArrived(first, 'the first copy');
    for (let round = 0; round < rounds; round += 1) {
      const order = [...contenders.keys()];
      for (const at of round % 2 === 0 ? order : order.toReversed()) {
        const contender = contenders[at];
        if (!contender) continue;
        const place = `${set.name.replace(' ', '-')}-${round}-${at}`;
        const copy: Copy = { kind: one.kind, target, ...source, place, concurrency };
        // What was written before must not be written back to the disk during this one.
        await runMeasured('sync', []);
        await touchMemory(source.folder);
        try {
          rows[at]?.figures.push(await contender.copy(copy));
        } catch (error) {
          // A peer may not be able to: our session always is.
          if (contender === sessionContender || !(error instanceof Error)) throw error;
          failures.set(contender.name, error.message.split('\n')[0] ?? '');
          continue;
        }
        await expectArrived(copy, contender.name);
      }
    }
    for (const [name, why] of failures) say(`\n${one.kind}: ${name} failed: ${why}`);
    return rows.filter(({ figures }) => figures.length > 0);
  } finally {
    await target.stop();
  }
}

type Source = { readonly folder: string; readonly files: readonly SourceFile[] };

const best = (figures: readonly CopyFigures[]): number => Math.min(...figures.map(({ seconds }) => seconds));
const seconds = (row: Row | undefined): number => median(row?.figures.map((one) => one.seconds) ?? []);

function report(kind: string, set: FileSet, rows: readonly Row[]): void {
  const megabytes = (set.files * set.bytes) / 1e6;
  say(`\n${kind}, ${set.name}: ${set.files} x ${set.bytes / 1e6} MB, ${concurrency} at once, ${rounds} rounds`);
  say('| by | MB/s, median | MB/s, best | files/s | CPU s | peak MiB | checks |');
  say('|---|--:|--:|--:|--:|--:|---|');
  for (const row of rows) {
    const { figures } = row;
    const cells = [
      (megabytes / seconds(row)).toFixed(0),
      (megabytes / best(figures)).toFixed(0),
      (set.files / seconds(row)).toFixed(0),
      median(figures.map(({ cpuSeconds }) => cpuSeconds)).toFixed(2),
      Math.max(...figures.map(({ peakMiB }) => peakMiB)).toFixed(0),
      figures[0]?.checked ?? '',
    ];
    say(`| ${row.name} | ${cells.join(' | ')} |`);
  }
  const ours = rows.find(({ name }) => name === 'touchline');
  for (const peer of rows.filter(({ name }) => name.startsWith('rclone'))) {
    const ratio = seconds(peer) / seconds(ours);
    const isAlike = peer.isAlike || !rows.some((row) => row.isAlike);
    const verdict = !isAlike ? ' (it does less)' : ratio >= set.bar ? ': bar met' : ': BAR MISSED';
    say(`  ours / ${peer.name}: ${ratio.toFixed(2)}${verdict}${isAlike ? ` (at least ${set.bar})` : ''}`);
  }
}

/** The peak of our process while it sends one small and one large file. */
async function measureMemory(kind: string, one: BenchKind, folder: string): Promise<void> {
  const peaks: string[] = [];
  for (const bytes of effort.memoryBytes) {
    const target = await one.start();
    try {
      const files = await writeSourceFiles(folder, { files: 1, bytes, seed: workload.seed });
      const copy: Copy = { kind: one.kind, target, folder, files, place: `memory-${bytes}`, concurrency };
      const { peakMiB } = await sessionContender.copy(copy);
      peaks.push(`${bytes / 1e6} MB: ${peakMiB.toFixed(0)} MiB`);
    } finally {
      await target.stop();
    }
  }
  say(`${kind}, peak of memory by size of the file: ${peaks.join(', ')}`);
}

const lacking = missingPeer();
if (lacking !== undefined) throw new Error(lacking);
const version = (await runMeasured('rclone', ['version'])).output.split('\n')[0];
const folder = await mkdtemp(join(tmpdir(), 'touchline-bench-delivery-'));
const loadNow = (): string => loadavg()[0]?.toFixed(1) ?? '';
try {
  say(`${availableParallelism()} cores, load ${loadNow()} before the run, Node ${process.version}, ${version}`);
  const found = kinds.map((kind) => ({ kind, one: BENCH_KINDS.get(kind) }));
  for (const [at, set] of sets.entries()) {
    const place = join(folder, String(at));
    await mkdir(place);
    const files = await writeSourceFiles(place, { ...set, seed: workload.seed + at });
    for (const { kind, one } of found) {
      const missing = one ? one.missing() : 'skipped: no such kind';
      if (!one || missing !== undefined) say(`\n${kind}: ${missing}`);
      else report(kind, set, await measureSet(one, set, { folder: place, files }));
    }
    await rm(place, { recursive: true });
  }
  if (process.argv.includes('--memory')) {
    say('');
    for (const { kind, one } of found)
      if (one && one.missing() === undefined) await measureMemory(kind, one, join(folder, 'memory'));
  }
  say(`load ${loadNow()} after the run`);
} finally {
  await rm(folder, { recursive: true, force: true });
}
