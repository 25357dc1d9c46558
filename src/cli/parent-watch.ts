import { readFile } from 'node:fs/promises';
import { isProcessAlive } from '../base/index.ts';

const CHECK_MS = 500;

/** Parent and command of a process; undefined where the system does not say (no /proc) or the process is gone. */
async function readProcess(pid: number): Promise<{ readonly parent: number; readonly name: string } | undefined> {
  const text = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => undefined);
  const found = text === undefined ? undefined : /^\d+ \((.*)\) \S (\d+)/s.exec(text);
  return found?.[1] === undefined ? undefined : { name: found[1], parent: Number(found[2]) };
}

/**
 * Calls `onOrphaned` when the npm that started this process is gone: kill -9 of `npm start` reaches only npm, and the
 * service would hold port and data for ever. npm may have put a shell in between, whose end says nothing.
 */
export async function watchParent(
  onOrphaned: () => void,
  options: { readonly env: Readonly<Record<string, string | undefined>>; readonly signal: AbortSignal },
): Promise<void> {
  if (options.env['npm_lifecycle_event'] === undefined) return;
  const chain: number[] = [];
  for (let pid = process.ppid; pid > 1 && chain.length < 4; ) {
    chain.push(pid);
    const found = await readProcess(pid);
    if (!found || !/^(sh|dash|bash|ash|busybox|node)$/.test(found.name)) break;
    pid = found.parent;
    if (found.name === 'node') break;
  }
  const launcher = chain.at(-1);
  if (launcher === undefined) return;
  const timer = setInterval(() => {
    if (isProcessAlive(launcher)) return;
    clearInterval(timer);
    onOrphaned();
  }, CHECK_MS);
  timer.unref();
  options.signal.addEventListener('abort', () => clearInterval(timer), { once: true });
}
