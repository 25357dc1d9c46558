// Azurite, the emulator of Azure Blob Storage that tests of delivery start. With what it needs it is too large to be a dependency
// of the project: it has a lock file of its own, in scripts/test-servers/azurite.
import { createHash } from 'node:crypto';
import { copyFileSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { hasFailedLately, rememberMissing } from './setup-memory.mjs';
import { findNpm, outsideEnvironment } from './setup-packages.mjs';
import { giveToOwner, run, tell, withLock } from './setup-process.mjs';

/** 11 s on a quick line, 25 MB of downloads. */
const INSTALL_LIMIT_MS = 3 * 60_000;
const STAMP = '.touchline-lock';

/** Installs it as its lock file says, unless that was done; says so when it cannot, and the tests that need it are skipped. */
export async function prepareAzurite({ root }) {
  const source = join(root, 'scripts', 'test-servers', 'azurite');
  const cache = join(root, 'node_modules', '.cache', 'touchline');
  const home = join(cache, 'azurite');
  const memory = join(cache, 'azurite-missing.json');
  const wanted = createHash('sha256')
    .update(readFileSync(join(source, 'package-lock.json')))
    .digest('hex');
  const isThere = () => read(join(home, STAMP)) === wanted;
  if (isThere()) return;
  if (hasFailedLately(memory, [wanted])) return tell('Azurite is missing: the tests of delivery to Azure are skipped.');
  await withLock({ root }, async () => {
    if (isThere()) return;
    const failure = await install({ root, source, home, wanted });
    rememberMissing(memory, failure === undefined ? [] : [wanted]);
    giveToOwner(root, join(root, 'node_modules', '.cache'));
    if (failure !== undefined) {
      tell(
        `Azurite was not installed (${failure}): the tests of delivery to Azure are skipped. The next try is in a day.`,
      );
    }
  });
}

/** @returns {Promise<string | undefined>} why it did not succeed */
async function install({ root, source, home, wanted }) {
  tell('installing Azurite, the Azure server of the tests (130 MB)...');
  const startedAt = Date.now();
  const fresh = `${home}.new`;
  try {
    rmSync(fresh, { recursive: true, force: true });
    mkdirSync(fresh, { recursive: true });
    for (const name of ['package.json', 'package-lock.json']) copyFileSync(join(source, name), join(fresh, name));
    const npm = findNpm(root);
    const flags = ['--ignore-scripts', '--no-audit', '--no-fund', '--prefer-offline', '--loglevel=error'];
    const { status, output, timedOut } = await run({
      command: npm.command,
      args: [...npm.args, 'ci', ...flags, '--fetch-retries=1'],
      cwd: fresh,
      env: outsideEnvironment(root),
      limitMs: INSTALL_LIMIT_MS,
    });
    if (status !== 0) {
      rmSync(fresh, { recursive: true, force: true });
      return timedOut ? 'the time limit' : `npm: ${lastError(output)}`;
    }
    writeFileSync(join(fresh, STAMP), wanted);
    rmSync(home, { recursive: true, force: true });
    renameSync(fresh, home);
  } catch (error) {
    if (error.code === undefined) throw error;
    return error.code;
  }
  tell(`Azurite installed in ${Math.round((Date.now() - startedAt) / 1000)} s.`);
  return undefined;
}

function lastError(output) {
  const lines = output.split('\n').filter((line) => /^npm (error|ERR!) \S/.test(line));
  return (lines[0] ?? 'no reason given').replace(/^npm (error|ERR!) /, '').slice(0, 200);
}

function read(path) {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}
