import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { messageOf } from '../base/index.ts';
import {
  ApiError,
  createApiClient,
  createProgressReporter,
  exitCodeOf,
  formatSummary,
  type ImportOptions,
  ImportSetupError,
  importFolder,
  UnreachableError,
} from './import/index.ts';
import type { CommandIo } from './io.ts';

const USAGE = `touchline import <folder> [options]

Uploads the photos and videos of a folder and its subfolders. Stop it at any time: the next run of the same command goes on
where it was, and files that are in the library already are not stored twice.

  --csv <file>          table of tags (default: touchline.csv or photos.csv in the folder or beside it). Columns: file, players,
                        clubs, match, competition, season, stadium, sponsors, tags, collection, rating, usage, usage_at,
                        captured_at, title, caption. Several values in a cell are parted by ";". A value is a name, an
                        alias, or source:id of an external id
  --tag <name or id>    a tag option that every file gets; may be given several times
  --collection <name>   a collection that every file joins; created where it is missing
  --strict              upload nothing when something of the table cannot be applied
  --dry-run             look, and change nothing
  --no-recursive        leave subfolders out
  --restart             forget what earlier runs have uploaded
  --wait                wait until everything is processed, and report what failed
  --concurrency <n>     uploads at a time, 1 to 32 (default 4)
  --url <address>       the service (default: TOUCHLINE_URL, else that of DATA_DIR/first-run.json)
  --key <API key>       with media.read and media.write (default: TOUCHLINE_API_KEY, else that of DATA_DIR/first-run.json).
                        Other users of this machine can read arguments: the variable is the better place

Ends with 0 when all is well, 1 when something failed or was not applied, 2 when it could not begin, 130 when it was stopped.
`;

class UsageError extends Error {}

const MAX_CONCURRENCY = 32;

type Values = {
  readonly csv?: string;
  readonly tag?: string[];
  readonly collection?: string;
  readonly strict?: boolean;
  readonly 'dry-run'?: boolean;
  readonly recursive?: boolean;
  readonly restart?: boolean;
  readonly wait?: boolean;
  readonly concurrency?: string;
  readonly url?: string;
  readonly key?: string;
  readonly help?: boolean;
};

function parse(args: readonly string[]): { readonly values: Values; readonly positionals: readonly string[] } {
  try {
    return parseArgs({
      args: [...args],
      allowPositionals: true,
      allowNegative: true,
      options: {
        csv: { type: 'string' },
        tag: { type: 'string', multiple: true },
        collection: { type: 'string' },
        strict: { type: 'boolean' },
        'dry-run': { type: 'boolean' },
        recursive: { type: 'boolean' },
        restart: { type: 'boolean' },
        wait: { type: 'boolean' },
        concurrency: { type: 'string' },
        url: { type: 'string' },
        key: { type: 'string' },
        help: { type: 'boolean', short: 'h' },
      },
    });
  } catch (error) {
    throw new UsageError(messageOf(error));
  }
}

function readConcurrency(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const value = Number(text);
  if (/^\d+$/.test(text) && value >= 1 && value <= MAX_CONCURRENCY) return value;
  throw new UsageError(`expected --concurrency to be a number from 1 to ${MAX_CONCURRENCY}, received ${text}`);
}

/** An address without key or user: those would end up in messages and logs. */
function readUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const isBare = url?.search === '' && url.hash === '' && url.username === '' && url.password === '';
  if (url && isBare && ['http:', 'https:'].includes(url.protocol)) return bare(text);
  throw new UsageError('expected the address of the service such as http://localhost:8080, without key, user or query');
}

async function readFirstRun(dataDir: string): Promise<{ readonly url?: string; readonly key?: string }> {
  let value: unknown;
  try {
    value = JSON.parse(await readFile(join(dataDir, 'first-run.json'), 'utf8'));
  } catch {
    return {};
  }
  const text = (name: string) => {
    const found: unknown = typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;
    return typeof found === 'string' ? found : undefined;
  };
  const [url, key] = [text('base_url'), text('api_key')];
  return { ...(url !== undefined && { url }), ...(key !== undefined && { key }) };
}

const bare = (url: string) => url.replace(/\/+$/, '');

type Connection = { readonly baseUrl: string; readonly apiKey: string };

async function readConnection(values: Values, env: CommandIo['env'], dataDir: string): Promise<Connection> {
  // An empty variable is none.
  const given = {
    url: values.url || env['TOUCHLINE_URL'] || undefined,
    key: values.key || env['TOUCHLINE_API_KEY'] || undefined,
  };
  const first = await readFirstRun(dataDir);
  const url = given.url || first.url;
  // The key of the first run is for its own service: it is not sent to another address.
  const key =
    given.key || (given.url === undefined || bare(given.url) === bare(first.url ?? '') ? first.key : undefined);
  if (!url) throw new UsageError(`expected an address: --url, TOUCHLINE_URL, or ${join(dataDir, 'first-run.json')}`);
  if (!key) throw new UsageError('expected an API key: --key or TOUCHLINE_API_KEY');
  // Nothing else can stand in a header.
  if (!/^[\x21-\x7e]+$/.test(key)) throw new UsageError('expected an API key of visible ASCII characters');
  return { baseUrl: readUrl(url), apiKey: key };
}

async function readOptions(args: readonly string[], io: CommandIo): Promise<Omit<ImportOptions, 'onProgress'>> {
  const { values, positionals } = parse(args);
  const [folder, ...others] = positionals;
  if (folder === undefined) throw new UsageError('expected a folder');
  if (others.length > 0) throw new UsageError(`expected one folder, received ${positionals.length}`);
  const dataDir = resolve(io.env['DATA_DIR'] || './data');
  const concurrency = readConcurrency(values.concurrency);
  return {
    client: createApiClient(await readConnection(values, io.env, dataDir)),
    folder,
    signal: io.signal,
    ...(values.csv !== undefined && { sidecar: { kind: 'file', path: values.csv } }),
    ...(values.tag && { tags: values.tag }),
    ...(values.collection !== undefined && { collection: values.collection }),
    ...(concurrency !== undefined && { concurrency }),
    recursive: values.recursive ?? true,
    strict: values.strict ?? false,
    dryRun: values['dry-run'] ?? false,
    wait: values.wait ?? false,
    journal: { dataDir, restart: values.restart ?? false },
  };
}

async function runWith(options: Omit<ImportOptions, 'onProgress'>, io: CommandIo): Promise<number> {
  const reporter = createProgressReporter(io.stderr);
  try {
    const summary = await importFolder({ ...options, onProgress: reporter.update });
    reporter.end();
    io.stdout.write(formatSummary(summary));
    return exitCodeOf(summary);
  } finally {
    reporter.end();
  }
}

/** `touchline import <folder>`: a client of the HTTP API like any other. Answers the exit code. */
export async function runImport(args: readonly string[], io: CommandIo): Promise<number> {
  if (args.includes('--help') || args.includes('-h')) {
    io.stdout.write(USAGE);
    return 0;
  }
  try {
    return await runWith(await readOptions(args, io), io);
  } catch (error) {
    if (io.signal.aborted) return 130;
    if (error instanceof UsageError) io.stderr.write(`${error.message}\n\n${USAGE}`);
    else if (error instanceof ImportSetupError || error instanceof UnreachableError)
      io.stderr.write(`${error.message}\n`);
    else if (error instanceof ApiError) io.stderr.write(`${error.message} (${error.code})\n`);
    else throw error;
    return 2;
  }
}
