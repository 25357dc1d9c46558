// The browser UI: web/ is built into web/dist, which the service serves. Built again when the sources or the packages change.
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { giveToOwner, run, SetupError, tell, withLock } from './setup-process.mjs';

/** Holds the hash of what was built. The service does not serve names that begin with a dot. */
const STAMP = join('web', 'dist', '.sources');

/** Builds web/dist when it is missing or not of these sources; one build of a folder at a time. */
export async function prepareWeb({ root }) {
  if (!existsSync(join(root, 'web', 'index.html'))) return;
  if (isBuilt(root)) return;
  await withLock({ root }, async () => {
    // Another set-up may have built it while we waited.
    if (!isBuilt(root)) await build(root);
  });
}

function isBuilt(root) {
  const stamp = join(root, STAMP);
  return existsSync(stamp) && readFileSync(stamp, 'utf8') === hashOfSources(root);
}

async function build(root) {
  tell('building the browser UI...');
  const startedAt = Date.now();
  const hash = hashOfSources(root);
  // Built beside and moved into place: a build that fails leaves the last one, and a service that starts meanwhile reads a whole one.
  const fresh = join(root, 'web', '.dist-new');
  rmSync(fresh, { recursive: true, force: true });
  const { status, output } = await run({
    // Node 24, whatever the machine's own is.
    command: join(root, 'node_modules', '.bin', 'node'),
    args: [
      join(root, 'node_modules', 'vite', 'bin', 'vite.js'),
      'build',
      join(root, 'web'),
      '--outDir',
      fresh,
      '--logLevel',
      'warn',
    ],
    cwd: root,
    env: { ...process.env, NODE_ENV: 'production' },
  });
  if (status !== 0) throw new SetupError(`the browser UI could not be built (status ${status}):\n${output.trim()}`);
  writeFileSync(join(fresh, '.sources'), hash);
  const target = join(root, 'web', 'dist');
  rmSync(target, { recursive: true, force: true });
  renameSync(fresh, target);
  giveToOwner(root, target);
  tell(`browser UI built in ${((Date.now() - startedAt) / 1000).toFixed(1)} s.`);
}

/** Of every file that a build reads: its name and content, and the versions of the packages. Tests are not among them. */
function hashOfSources(root) {
  const hash = createHash('sha256');
  const web = join(root, 'web');
  const files = readdirSync(web, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .filter(
      (path) => !/^(?:dist|\.dist-new)$/.test(relative(web, path).split(sep)[0]) && !/\.(?:test\.tsx?|md)$/.test(path),
    )
    .sort();
  for (const path of [...files, join(root, 'package-lock.json')]) {
    hash
      .update(`${relative(root, path)}\0`)
      .update(readFileSync(path))
      .update('\0');
  }
  return hash.digest('hex');
}
