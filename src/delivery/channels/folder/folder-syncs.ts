import { open } from 'node:fs/promises';

/** Brings the names in a folder to the disk. Those who ask while that is done once share the next time. */
export function createFolderSyncs(): (path: string) => Promise<void> {
  const running = new Map<string, Promise<void>>();
  const next = new Map<string, Promise<void>>();
  const run = async (path: string): Promise<void> => {
    const syncing = syncFolder(path);
    running.set(path, syncing);
    try {
      await syncing;
    } finally {
      running.delete(path);
    }
  };
  return (path) => {
    const shared = next.get(path);
    if (shared) return shared;
    const before = running.get(path);
    if (!before) return run(path);
    // That one may have begun before the name was given.
    const waiting = before
      .catch(() => {})
      .then(() => {
        next.delete(path);
        return run(path);
      });
    next.set(path, waiting);
    return waiting;
  };
}

async function syncFolder(path: string): Promise<void> {
  const handle = await open(path, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
