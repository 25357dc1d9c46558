// Prepares a checkout: `npm start` runs this as `prestart`, `npm test` as `pretest` with `--test`.
//   1. installs the npm packages when they are missing or do not match package-lock.json,
//   2. makes sure that Node 24 (npm package `node`) and the embedded PostgreSQL are complete,
//   3. installs missing system tools where it may (root on Debian and Ubuntu), else says which capability is off.
// Plain JavaScript for Node 18 and up, Node's own modules only: nothing is installed yet when it first runs, and the machine's
// Node may be too old for TypeScript. When everything is in place it prints nothing and takes well under 100 ms.
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { inspectPackages, preparePackages } from './setup-packages.mjs';
import { prepareSystemTools } from './system-tools.mjs';
import { SetupError } from './setup-process.mjs';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const forTests = process.argv.includes('--test');

try {
  if (!inspectPackages({ root, forTests }).isComplete) await preparePackages({ root, forTests });
  if (process.env.TOUCHLINE_SKIP_SYSTEM_TOOLS !== '1') await prepareSystemTools({ root, forTests });
} catch (error) {
  if (!(error instanceof SetupError)) throw error;
  console.error(`touchline: ${error.message}`);
  process.exitCode = error.exitCode;
}
