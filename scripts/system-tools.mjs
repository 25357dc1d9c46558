// The programs that are not npm packages. Their table is src/base/tools.json, which the service reads as well: it names the
// missing capabilities with the same words.
import { spawnSync } from 'node:child_process';
import { accessSync, constants, existsSync, readFileSync, statSync } from 'node:fs';
import { delimiter, isAbsolute, join } from 'node:path';
import { withoutServices } from './service-guard.mjs';
import { hasFailedLately, rememberMissing } from './setup-memory.mjs';
import { giveToOwner, run, tell } from './setup-process.mjs';
import { FAULT_TOOLS, TEST_TOOLS } from './test-tools.mjs';

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
/** The same as in src/base/tools.ts. */
const LIBRARY_FOLDERS = [
  `/usr/lib/${process.arch === 'arm64' ? 'aarch64' : 'x86_64'}-linux-gnu`,
  '/usr/lib64',
  '/usr/lib',
  '/usr/local/lib',
];

/**
 * Installs what is missing where it may, and else says what is off. Never a reason not to start: the service works without
 * any of them, with less capabilities. `packages` is the promise of the npm packages, whose folder keeps a note.
 */
export async function prepareSystemTools({ root, forTests, forFaults, packages }) {
  const rows = JSON.parse(readFileSync(join(root, 'src', 'base', 'tools.json'), 'utf8'));
  const tools = [...rows, ...(forTests ? TEST_TOOLS : []), ...(forFaults ? FAULT_TOOLS : [])];
  const memory = join(root, 'node_modules', '.cache', 'touchline', 'system-tools.json');
  let missing = tools.filter((tool) => !isUsable(tool));
  if (missing.length === 0) return;
  const canInstall = process.getuid?.() === 0 && findOnPath('apt-get') !== undefined;
  if (canInstall && !hasFailedLately(memory, missing.map(nameOf))) {
    const names = [...new Set(missing.map((tool) => tool.package))];
    const all = [...new Set(missing.flatMap((tool) => [tool.package, ...(tool.brings ?? [])]))];
    // What the service itself needs has no services of its own.
    await (forTests ? withoutServices({ packages: all }, () => install(names)) : install(names));
    missing = missing.filter((tool) => !isUsable(tool));
    await packages.catch(() => {});
    rememberMissing(memory, missing.map(nameOf));
    giveToOwner(root, join(root, 'node_modules', '.cache'));
  }
  for (const tool of missing) {
    tell(`${nameOf(tool)} is missing, so this is off: ${tool.capability}. To get it: apt-get install ${tool.package}`);
  }
}

async function install(packages) {
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
  if (tool.library !== undefined) return LIBRARY_FOLDERS.some((folder) => existsSync(join(folder, tool.library)));
  const path = findOnPath(tool.command);
  if (path === undefined) return false;
  return tool.check.length === 0 || spawnSync(path, tool.check, { stdio: 'ignore', timeout: 20_000 }).status === 0;
}

function nameOf({ command, library }) {
  return command ?? library;
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
