/** Lucene in a Java process of its own (bench/peers/lucene), over the same generated library. */
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import type { EngineRequest } from '../../src/search/engine.ts';
import type { Filter } from '../../src/search/filter/filter-tree.ts';

const SOURCES = join(import.meta.dirname, '..', 'peers', 'lucene');
const JARS = /^lucene-(?:core|facet|analyzers-common)-(?<version>\d+\.\d+\.\d+)\.jar$/;
const HEAP = '-Xmx3g';
export const HOW_TO_INSTALL =
  'Lucene is left out: javac or its jars were not found (Debian: apt-get install openjdk-17-jdk-headless liblucene8-java; ' +
  'elsewhere --lucene-jars=<folder of lucene-core, lucene-facet and lucene-analyzers-common>)';

/** Ways to answer the same request; the benchmark reports the quickest for each class. */
export type Variant = {
  readonly passes: 1 | 2;
  readonly cache: boolean;
  readonly counting: 'ordinals' | 'numbers';
};

export type LuceneAnswer = {
  readonly nanos: number;
  readonly total: number;
  readonly ids: readonly number[];
  readonly facets: readonly (readonly (readonly [key: string, count: number])[])[];
};

export type LuceneBuild = {
  readonly documents: number;
  readonly buildMs: number;
  readonly mergeMs: number;
  readonly bytes: number;
};

export type Lucene = {
  readonly version: string;
  readonly build: LuceneBuild;
  /** Empties Lucene's cache of filters. */
  clearCache(): Promise<void>;
  search(request: EngineRequest, variant: Variant): Promise<LuceneAnswer>;
  residentBytes(): Promise<number>;
  close(): void;
};

const run = promisify(execFile);

/** Two bounds of one field as one range, which is how one asks Lucene; times as milliseconds. */
function mergeBounds(filters: readonly Filter[]): readonly object[] {
  const ranges = new Map<string, { from: number; to: number }>();
  const others: object[] = [];
  for (const filter of filters) {
    const bound = filter.kind === 'compare' ? filter.values[0] : undefined;
    if (filter.kind !== 'compare' || !(bound instanceof Date)) {
      others.push(translate(filter));
      continue;
    }
    const range = ranges.get(filter.field) ?? { from: Number.MIN_SAFE_INTEGER, to: Number.MAX_SAFE_INTEGER };
    const ms = bound.getTime();
    if (filter.comparison === 'gte') range.from = ms;
    else if (filter.comparison === 'lt') range.to = ms - 1;
    else throw new Error(`expected gte or lt of a time, received ${filter.comparison}`);
    ranges.set(filter.field, range);
  }
  return [...others, ...[...ranges].map(([field, range]) => ({ kind: 'range', field, ...range }))];
}

function translate(filter: Filter): object {
  return filter.kind === 'all' ? { kind: 'all', filters: mergeBounds(filter.filters) } : filter;
}

async function compile(
  jarFolder: string,
  classes: string,
): Promise<{ readonly classPath: string; readonly version: string } | undefined> {
  const names = await readdir(jarFolder).catch(() => []);
  const jars = names.filter((name) => JARS.test(name));
  const version = JARS.exec(jars[0] ?? '')?.groups?.['version'];
  if (jars.length < 3 || version === undefined) return undefined;
  const sources = (await readdir(SOURCES)).filter((name) => name.endsWith('.java')).map((name) => join(SOURCES, name));
  const jarPath = jars.map((name) => join(jarFolder, name)).join(':');
  try {
    await mkdir(classes, { recursive: true });
    await run('javac', ['-d', classes, '-cp', jarPath, ...sources]);
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw error;
  }
  return { classPath: `${classes}:${jarPath}`, version };
}

async function hashOf(names: readonly string[]): Promise<string> {
  const hash = createHash('sha256');
  for (const name of names) hash.update(await readFile(name));
  return hash.digest('hex');
}

/** Builds the index, or finds the one that was built from the same library by the same code. */
async function buildIndex(options: {
  readonly classPath: string;
  readonly folder: string;
  readonly assets: number;
}): Promise<LuceneBuild> {
  const { classPath, folder, assets } = options;
  const sources = ['Indexer.java', 'PositionedTokens.java'].map((name) => join(SOURCES, name));
  const code = await hashOf([...sources, join(import.meta.dirname, 'export-documents.ts')]);
  const factsFile = join(folder, '..', 'lucene.json');
  const present = await readFile(factsFile, 'utf8').catch(() => undefined);
  if (present !== undefined) {
    const facts = JSON.parse(present) as { readonly code: string; readonly build: LuceneBuild };
    if (facts.code === code && facts.build.documents === assets) return facts.build;
  }
  await rm(factsFile, { force: true });
  await rm(folder, { recursive: true, force: true });
  const documents = spawn(process.execPath, [join(import.meta.dirname, 'export-documents.ts'), String(assets)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const indexer = spawn('java', [HEAP, '-cp', classPath, 'LucenePeer', 'index', folder], {
    stdio: [documents.stdout, 'pipe', 'inherit'],
  });
  let output = '';
  indexer.stdout?.on('data', (chunk: Buffer) => (output += chunk.toString()));
  const exitCode = await new Promise((resolve) => indexer.once('close', resolve));
  if (exitCode !== 0) throw new Error(`the Lucene indexer ended with ${String(exitCode)}`);
  const build = JSON.parse(output) as LuceneBuild;
  if (build.documents !== assets) throw new Error(`expected ${assets} documents, received ${build.documents}`);
  await writeFile(factsFile, JSON.stringify({ code, build }));
  return build;
}

type Exchange = { ask(line: string): Promise<string> };

/** Lines to and from a process, one answer for each question in their order. */
function createExchange(child: ChildProcess): Exchange {
  const { stdin, stdout } = child;
  if (!stdin || !stdout) throw new Error('expected a process with pipes');
  const waiting: { resolve: (line: string) => void; reject: (error: Error) => void }[] = [];
  createInterface({ input: stdout }).on('line', (line) => waiting.shift()?.resolve(line));
  child.once('exit', (code) => {
    for (const one of waiting.splice(0)) one.reject(new Error(`the Lucene process ended with ${code}`));
  });
  return {
    ask: (line) =>
      new Promise((resolve, reject) => {
        waiting.push({ resolve, reject });
        if (line !== '') stdin.write(`${line}\n`);
      }),
  };
}

/** Undefined when this machine has no javac or no Lucene. */
export async function openLucene(options: {
  readonly folder: string;
  readonly assets: number;
  readonly jarFolder: string;
}): Promise<Lucene | undefined> {
  const compiled = await compile(options.jarFolder, join(options.folder, 'lucene-classes'));
  if (!compiled) return undefined;
  const folder = join(options.folder, 'lucene');
  const build = await buildIndex({ classPath: compiled.classPath, folder, assets: options.assets });
  const child = spawn('java', [HEAP, '-cp', compiled.classPath, 'LucenePeer', 'search', folder], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const exchange = createExchange(child);
  await exchange.ask('');
  return {
    version: compiled.version,
    build,
    clearCache: async () => void (await exchange.ask('{"clear":true}')),
    async search({ filter, sort, limit, offset, facets }, variant) {
      const asked = facets.map((facet) => ({ field: facet.field, limit: facet.limit }));
      const request = { filter: translate(filter), sort: sort.field, limit, offset, facets: asked, ...variant };
      return JSON.parse(await exchange.ask(JSON.stringify(request))) as LuceneAnswer;
    },
    async residentBytes() {
      const status = await readFile(`/proc/${child.pid}/status`, 'utf8').catch(() => '');
      return Number(/VmRSS:\s+(?<kib>\d+)/.exec(status)?.groups?.['kib'] ?? 0) * 1024;
    },
    close: () => void child.kill(),
  };
}
