// What the parts of the set-up share: running a program, telling the user, one set-up at a time.
import { spawn, spawnSync } from 'node:child_process';
import { closeSync, openSync, readFileSync, rmSync, statSync, writeSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';

/** A failure that one plain sentence explains; anything else that is thrown is a fault of the set-up itself. */
export class SetupError extends Error {
  constructor(message, exitCode = 1) {
    super(message);
    this.exitCode = exitCode;
  }
}

/** To the error stream: the output of `npm start` belongs to the service. */
export function tell(text) {
  console.error(`touchline: ${text}`);
}

/**
 * Runs a program to its end. With `visible` it writes to our error stream, else the last of its output is returned.
 * Ends it after `limitMs`. A signal that reaches us reaches it, and ends the set-up when it has ended.
 * @returns {Promise<{ status: number | null, output: string, timedOut: boolean }>}
 */
export function run({ command, args, cwd, env, visible = false, limitMs }) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, {
      cwd,
      env: env ?? process.env,
      stdio: visible ? ['ignore', 2, 2] : ['ignore', 'pipe', 'pipe'],
      // A group of its own where there is a limit, so that what it has started ends with it.
      detached: limitMs !== undefined,
    });
    let output = '';
    let timedOut = false;
    let received;
    for (const stream of [child.stdout, child.stderr]) {
      stream?.setEncoding('utf8').on('data', (chunk) => {
        output = (output + chunk).slice(-8192);
      });
    }
    const kill = (signal) => {
      try {
        if (child.pid !== undefined) process.kill(limitMs === undefined ? child.pid : -child.pid, signal);
      } catch {
        // It has ended already.
      }
    };
    const timers = [];
    if (limitMs !== undefined) {
      const end = () => {
        timedOut = true;
        // dpkg must be able to finish the package it is at.
        kill('SIGTERM');
        timers.push(setTimeout(() => kill('SIGKILL'), 15_000));
      };
      timers.push(setTimeout(end, limitMs));
    }
    const onSignal = (signal) => {
      received = signal;
      kill(signal);
    };
    const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'];
    for (const signal of signals) process.on(signal, onSignal);
    const finish = () => {
      for (const timer of timers) clearTimeout(timer);
      for (const signal of signals) process.off(signal, onSignal);
    };
    child.once('error', (error) => {
      finish();
      resolve({ status: null, output: error.message, timedOut });
    });
    child.once('close', (status) => {
      finish();
      if (received) reject(new SetupError(`the set-up was ended by ${received}.`, received === 'SIGINT' ? 130 : 143));
      else resolve({ status, output, timedOut });
    });
  });
}

/** As root in another user's folder: what we made becomes theirs, or their next `npm start` could not replace it. */
export function giveToOwner(root, path) {
  if (process.getuid?.() !== 0) return;
  const { uid, gid } = statSync(root);
  if (uid !== 0) spawnSync('chown', ['-Rh', `${uid}:${gid}`, path], { stdio: 'ignore' });
}

const LOCK_NAME = '.setup.lock';
/** An installation takes half a minute, on a slow line some minutes. Older locks are of a machine that went down. */
const LOCK_STALE_MS = 30 * 60_000;

/**
 * Runs `work` while no other set-up of this folder runs. The lock lies beside node_modules, because `npm ci` deletes
 * everything inside.
 */
export async function withLock({ root }, work) {
  const path = join(root, LOCK_NAME);
  let told = false;
  for (;;) {
    const file = tryCreate(path);
    if (file !== undefined) {
      writeSync(file, JSON.stringify({ pid: process.pid, host: hostname() }));
      closeSync(file);
      break;
    }
    if (isAbandoned(path)) {
      rmSync(path, { force: true });
      continue;
    }
    if (!told) tell('another set-up of this folder is running, waiting for it.');
    told = true;
    await new Promise((resolve) => setTimeout(resolve, 300));
  }
  const release = () => rmSync(path, { force: true });
  process.once('exit', release);
  try {
    return await work();
  } finally {
    process.off('exit', release);
    release();
  }
}

function tryCreate(path) {
  try {
    return openSync(path, 'wx');
  } catch (error) {
    if (error.code === 'EEXIST') return undefined;
    throw new SetupError(
      `expected to write to ${path}, received ${error.code}. Run this as the owner of the folder, or give the folder to this user with chown -R.`,
    );
  }
}

function isAbandoned(path) {
  try {
    if (Date.now() - statSync(path).mtimeMs > LOCK_STALE_MS) return true;
    const { pid, host } = JSON.parse(readFileSync(path, 'utf8'));
    if (host !== hostname()) return false;
    process.kill(pid, 0);
    return false;
  } catch (error) {
    // ESRCH: its process is gone. ENOENT: the lock itself is, the next try gets it. Anything else (half written, another
    // user's process) is waited for.
    return error.code === 'ESRCH';
  }
}
