// Prepares a checkout: `npm start` runs this as `prestart`, `npm test` as `pretest` with `--test`, `npm run test:faults` with
// `--test --faults`.
//   1. installs the npm packages when they are missing or do not match package-lock.json,
//   2. makes sure that Node 24 (npm package `node`) and the embedded PostgreSQL are complete,
//   3. builds the browser UI when its sources have changed,
//   4. installs missing system tools where it may (root on Debian and Ubuntu), else says which capability is off; for tests
//      also the servers that they start. That goes on beside 1 and 2.
// Plain JavaScript for Node 18 and up, Node's own modules only: nothing is installed yet when it first runs, and the machine's
// Node may be too old for TypeScript. When everything is in place it prints nothing and takes well under 100 ms.
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { prepareAzurite } from './setup-azurite.mjs';
import { inspectPackages, preparePackages } from './setup-packages.mjs';
import { prepareWeb } from './setup-web.mjs';
import { prepareSystemTools } from './system-tools.mjs';
import { SetupError } from './setup-process.mjs';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const forTests = process.argv.includes('--test');
const forFaults = process.argv.includes('--faults');

try {
  const packages = preparePackagesAndServers();
  const tools = mayInstallTools() ? prepareSystemTools({ root, forTests, forFaults, packages }) : undefined;
  // Each ends by itself, in order: an installation that nobody waits for would go on beside the tests.
  const failures = (await Promise.allSettled([packages, tools])).filter(({ status }) => status === 'rejected');
  if (failures.length > 0) throw failures[0].reason;
} catch (error) {
  if (!(error instanceof SetupError)) throw error;
  console.error(`touchline: ${error.message}`);
  process.exitCode = error.exitCode;
}

async function preparePackagesAndServers() {
  if (!inspectPackages({ root, forTests }).isComplete) await preparePackages({ root, forTests });
  await prepareWeb({ root });
  if (forTests && mayInstallTools()) await prepareAzurite({ root });
}

function mayInstallTools() {
  return process.env.TOUCHLINE_SKIP_SYSTEM_TOOLS !== '1';
}
