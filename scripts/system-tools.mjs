// The programs that are not npm packages. Their table is src/base/tools.json, which the service reads as well: it names the
// missing capabilities with the same words.
import { spawnSync } from 'node:child_process';
import { accessSync, constants, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, isAbsolute, join } from 'node:path';
import { giveToOwner, run, tell } from './setup-process.mjs';

/**
 * Tools that only tests need, as rows of the same form: `{ key, command, package, capability, check: [] }`. A test that
 * needs another real server adds its Debian package here.
 */
const TEST_TOOLS = [];

/** For apt-get's downloads; offline it gives up by itself within seconds. */
const DOWNLOAD_LIMIT_MS = 5 * 60_000;
/** Generous: ending dpkg half way leaves packages half configured. */
const UNPACK_LIMIT_MS = 5 * 60_000;
/** A dead mirror is given up after 20 s and not after apt-get's own two minutes; another apt-get is waited for. */
const APT_OPTIONS = [
  'Acquire::http::Timeout=20',
  'Acquire::https::Timeout=20',
  'Acquire::Retries=1',
  'DPkg::Lock::Timeout=60',
].flatMap((option) => ['-o', option]);
const RETRY_AFTER_MS = 24 * 60 * 60_000;

/**
 * Installs what is missing where it may, and else says what is off. Never a reason not to start: the service works without
 * any of them, with less capabilities.
 */
export async function prepareSystemTools({ root, forTests }) {
  const rows = JSON.parse(readFileSync(join(root, 'src', 'base', 'tools.json'), 'utf8'));
  const tools = forTests ? [...rows, ...TEST_TOOLS] : rows;
  const memory = join(root, 'node_modules', '.cache', 'touchline', 'system-tools.json');
  let missing = tools.filter((tool) => !isUsable(tool));
  if (missing.length === 0) return;
  const canInstall = process.getuid?.() === 0 && findOnPath('apt-get') !== undefined;
  if (canInstall && !hasFailedLately(memory, missing)) {
    await install(missing);
    missing = missing.filter((tool) => !isUsable(tool));
    remember(memory, missing);
    giveToOwner(root, join(root, 'node_modules', '.cache'));
  }
  for (const tool of missing) {
    tell(`${tool.command} is missing, so this is off: ${tool.capability}. To get it: apt-get install ${tool.package}`);
  }
}

async function install(missing) {
  const packages = [...new Set(missing.map((tool) => tool.package))];
  tell(`installing ${packages.join(', ')} with apt-get (TOUCHLINE_SKIP_SYSTEM_TOOLS=1 leaves this out)...`);
  const startedAt = Date.now();
  const apt = (args, limitMs) =>
    run({
      command: 'apt-get',
      args: ['-qq', '-y', ...APT_OPTIONS, ...args],
      env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
      limitMs,
    });
  const left = () => Math.max(1000, DOWNLOAD_LIMIT_MS - (Date.now() - startedAt));
  const flags = ['install', '--no-install-recommends'];
  // The lists may be there from an earlier update, so a failure here decides nothing.
  const update = await apt(['update'], left());
  // Downloads first and under the limit: ending apt-get while it unpacks would leave the machine's packages half configured.
  const download = await apt([...flags, '--download-only', ...packages], left());
  let failed = download.status === 0 ? await apt([...flags, ...packages], UNPACK_LIMIT_MS) : download;
  if (failed.status !== 0 && !failed.timedOut && packages.length > 1) {
    // One package that this release does not have must not keep the others away.
    for (const name of packages) {
      const one = await apt([...flags, '--download-only', name], left());
      if (one.status === 0) failed = await apt([...flags, name], UNPACK_LIMIT_MS);
    }
  }
  const seconds = Math.round((Date.now() - startedAt) / 1000);
  if (failed.status === 0) return tell(`system tools installed in ${seconds} s.`);
  const reason = failed.timedOut
    ? 'the time limit'
    : lastError(failed.output) || lastError(update.output) || 'no reason given';
  return tell(`apt-get did not succeed (${reason}); the next try is in a day. The service starts without.`);
}

function lastError(output) {
  const lines = output.split('\n').filter((line) => /^(E|W|Err):/.test(line));
  return (lines.at(-1) ?? '').slice(0, 300).trim();
}

/** A tool counts when it is on the PATH and its check ends with 0: Debian's own small perl lacks what ExifTool loads. */
function isUsable(tool) {
  const path = findOnPath(tool.command);
  if (path === undefined) return false;
  return tool.check.length === 0 || spawnSync(path, tool.check, { stdio: 'ignore', timeout: 20_000 }).status === 0;
}

function findOnPath(command) {
  // Servers lie in sbin, which an ordinary user's PATH lacks.
  return [...(process.env.PATH ?? '').split(delimiter), '/usr/sbin']
    .filter((folder) => isAbsolute(folder))
    .map((folder) => join(folder, command))
    .find((path) => {
      try {
        accessSync(path, constants.X_OK);
        return statSync(path).isFile();
      } catch {
        return false;
      }
    });
}

// ---- A failed try is remembered for a day, so that later starts are quick

function hasFailedLately(memory, missing) {
  try {
    const { triedAt, commands } = JSON.parse(readFileSync(memory, 'utf8'));
    const age = Date.now() - triedAt;
    return age >= 0 && age < RETRY_AFTER_MS && missing.every((tool) => commands.includes(tool.command));
  } catch {
    return false;
  }
}

function remember(memory, missing) {
  try {
    if (missing.length === 0) return rmSync(memory, { force: true });
    mkdirSync(dirname(memory), { recursive: true });
    const note = { triedAt: Date.now(), commands: missing.map((tool) => tool.command) };
    return writeFileSync(memory, `${JSON.stringify(note)}\n`);
  } catch {
    // Then the next start tries again.
    return undefined;
  }
}
