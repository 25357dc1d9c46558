// Debian starts the services of what it installs, then and at each boot. Tests want the programs only: who runs them did not ask
// for an SSH server that is open to the network.
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tell } from './setup-process.mjs';

/** Asked by Debian's invoke-rc.d before each start; 101 is "forbidden". See /usr/share/doc/init-system-helpers. */
const POLICY_PATH = '/usr/sbin/policy-rc.d';
const MARK = '# made by the set-up of Touchline, process';
const COMMAND_LIMIT_MS = 20_000;

/**
 * Runs `work`, which installs `packages`, so that no service of those that were missing runs, now or after a boot. A policy of
 * the machine's own stays as it is.
 */
export async function withoutServices({ packages, policyPath = POLICY_PATH }, work) {
  const missing = packages.filter((name) => !isInstalled(name));
  let allowStarts;
  try {
    allowStarts = forbidStarts(policyPath);
  } catch (error) {
    return tell(
      `${policyPath} cannot be written (${error.code}), so that nothing is installed: it might start services.`,
    );
  }
  // Ours goes when the work has ended and not before: what a signal ends may be at a package yet.
  const hold = () => {};
  for (const signal of SIGNALS) process.on(signal, hold);
  try {
    return await work();
  } finally {
    allowStarts();
    disableUnits(missing.filter(isInstalled));
    for (const signal of SIGNALS) process.off(signal, hold);
  }
}

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'];

function forbidStarts(path) {
  if (isAbandoned(path)) rmSync(path, { force: true });
  try {
    writeFileSync(path, `#!/bin/sh\n${MARK} ${process.pid}\nexit 101\n`, { flag: 'wx', mode: 0o755 });
  } catch (error) {
    if (error.code === 'EEXIST') return () => {};
    throw error;
  }
  const remove = () => rmSync(path, { force: true });
  process.once('exit', remove);
  return () => {
    process.off('exit', remove);
    remove();
  };
}

/** Left behind by a set-up that was killed. */
function isAbandoned(path) {
  if (!existsSync(path)) return false;
  const pid = Number(readFileSync(path, 'utf8').split(MARK)[1]?.split('\n')[0]);
  if (!Number.isInteger(pid)) return false;
  try {
    process.kill(pid, 0);
    return false;
  } catch (error) {
    return error.code === 'ESRCH';
  }
}

/** With systemd running, also ends what a policy of the machine's own let start. */
function disableUnits(packages) {
  const withUnits = packages.map((name) => ({ name, units: unitsOf(name) })).filter(({ units }) => units.length > 0);
  const flags = existsSync('/run/systemd/system') ? ['disable', '--now'] : ['disable'];
  const results = withUnits.flatMap(({ units }) => units.map((unit) => run('systemctl', [...flags, unit])));
  // Without systemd nothing starts them.
  if (results.every(({ error }) => error !== undefined)) return;
  const names = withUnits.map(({ name }) => name).join(', ');
  tell(`${names}: installed for tests only, so that their services are off (systemctl enable turns one on).`);
}

/** Its units; templates (`name@.service`) start nothing by themselves. */
function unitsOf(name) {
  const unit = /^(?:\/usr)?\/lib\/systemd\/system\/([^/@\n]+\.(?:service|socket|timer|path|target))$/gm;
  return [...run('dpkg-query', ['--listfiles', name]).stdout.matchAll(unit)].map(([, file]) => file);
}

function isInstalled(name) {
  return run('dpkg-query', ['--show', '--showformat', '${db:Status-Status}', name]).stdout === 'installed';
}

function run(command, args) {
  const result = spawnSync(command, args, { encoding: 'utf8', timeout: COMMAND_LIMIT_MS });
  return { ...result, stdout: result.stdout ?? '' };
}
