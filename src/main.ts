import { enableCompileCache } from 'node:module';
import { join } from 'node:path';
import type { CommandIo } from './cli/io.ts';
import { AppError, messageOf } from './base/index.ts';
import { ConfigError } from './config.ts';

// Compiled code of the many modules of a command is kept for the next start, which halves its loading time.
enableCompileCache(join(import.meta.dirname, '..', 'node_modules', '.cache', 'touchline', 'compile'));

type Run = (args: readonly string[], io: CommandIo) => Promise<number>;
/** Each command is loaded when it is called: `key list` needs no image library. */
type Command = { readonly load: () => Promise<Run>; readonly summary: string };

const COMMANDS: Readonly<Record<string, Command>> = {
  serve: { load: async () => (await import('./cli/serve.ts')).runServe, summary: 'run the service (npm start)' },
  import: {
    load: async () => (await import('./cli/import.ts')).runImport,
    summary: 'upload a folder of photos and videos',
  },
  key: { load: async () => (await import('./cli/key.ts')).runKey, summary: 'create, list and revoke API keys' },
  org: {
    load: async () => (await import('./cli/organization.ts')).runOrganization,
    summary: 'create and list organizations',
  },
  doctor: {
    load: async () => (await import('./cli/doctor.ts')).runDoctor,
    summary: 'check settings, tools, database and storage',
  },
};

const USAGE = `touchline <command> [options]

${Object.entries(COMMANDS)
  .map(([name, { summary }]) => `  ${name.padEnd(8)} ${summary}`)
  .join('\n')}

touchline <command> --help tells more. Settings are environment variables: see docs/operations.md.
`;

const SIGNAL_ECHO_MS = 1000;

/** The first signal asks for an orderly end, a later one ends at once. */
function createStopSignal(): AbortSignal {
  const stop = new AbortController();
  let firstAtMs = 0;
  const onSignal = (name: NodeJS.Signals) => {
    const nowMs = Date.now();
    if (!stop.signal.aborted) {
      firstAtMs = nowMs;
      stop.abort(new Error(name));
      // A terminal signals the whole group and a wrapper forwards it too: the echo of the same wish is not a second one.
    } else if (nowMs - firstAtMs > SIGNAL_ECHO_MS) {
      process.exit(130);
    }
  };
  process.on('SIGINT', onSignal);
  process.on('SIGTERM', onSignal);
  return stop.signal;
}

async function main(argv: readonly string[]): Promise<number> {
  const [name = 'help', ...args] = argv;
  const io: CommandIo = {
    env: process.env,
    stdout: process.stdout,
    stderr: process.stderr,
    signal: createStopSignal(),
  };
  const command = COMMANDS[name];
  if (!command) {
    const wanted = name === 'help' || name === '--help' || name === '-h';
    (wanted ? io.stdout : io.stderr).write(wanted ? USAGE : `unknown command ${name}\n\n${USAGE}`);
    return wanted ? 0 : 2;
  }
  try {
    const run = await command.load();
    return await run(args, io);
  } catch (error) {
    if (error instanceof ConfigError) {
      io.stderr.write(`${error.faults.map((fault) => `${fault.name}: expected ${fault.expected}`).join('\n')}\n`);
      return 2;
    }
    io.stderr.write(
      `${error instanceof AppError || !(error instanceof Error) ? messageOf(error) : (error.stack ?? error.message)}\n`,
    );
    return 1;
  }
}

// A reader that goes away (`touchline key list | head -1`) must not end in a stack trace.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
});
process.exitCode = await main(process.argv.slice(2));
process.exit();
