#!/usr/bin/env node
// The `touchline` command. The service is TypeScript that Node runs as it is, which needs Node 22.18; under an older one this
// file starts itself again with the Node 24 of the npm package `node`.
import { spawn, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const self = fileURLToPath(import.meta.url);
const root = dirname(dirname(self));

const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
if (major > 22 || (major === 22 && minor >= 18)) {
  await import('../src/main.ts');
} else {
  const node = join(root, 'node_modules', 'node', 'bin', 'node');
  if (!existsSync(node)) spawnSync(process.execPath, [join(root, 'scripts', 'setup.mjs')], { stdio: ['ignore', 2, 2] });
  if (existsSync(node)) runWith(node);
  else {
    console.error(`touchline: expected Node 22.18 or newer, received ${process.versions.node}. Run "npm start" once.`);
    process.exitCode = 1;
  }
}

function runWith(node) {
  const child = spawn(node, [self, ...process.argv.slice(2)], { stdio: 'inherit' });
  // A terminal sends Ctrl-C to the whole group, the child included; passing it on would count as a second one, which
  // forces the service to end without draining.
  const isTerminal = process.stdin.isTTY || process.stdout.isTTY || process.stderr.isTTY;
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGUSR2']) {
    process.on(signal, () => {
      if (signal !== 'SIGINT' || !isTerminal) child.kill(signal);
    });
  }
  child.once('error', (error) => {
    console.error(`touchline: expected to run ${node}, received ${error.message}.`);
    process.exitCode = 1;
  });
  child.once('exit', (status, signal) => {
    if (signal === null) process.exit(status ?? 1);
    // Ends as the child did, so that a shell or a supervisor sees the same.
    for (const name of process.eventNames()) process.removeAllListeners(name);
    process.kill(process.pid, signal);
  });
}
