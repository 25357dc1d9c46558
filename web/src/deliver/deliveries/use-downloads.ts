import { useEffect, useRef, useState } from 'react';
import { downloadFile, type DownloadedFile, type DownloadOptions } from '../../api/download.ts';
import { toProblem } from '../../api/problem.ts';

export type FailedDownload = { readonly id: number; readonly why: string };
export type Downloads = {
  readonly state: 'idle' | 'running' | 'done' | 'cancelled';
  readonly total: number;
  readonly done: number;
  /** Of all that was read, also of the file that is being read. */
  readonly bytes: number;
  readonly failed: readonly FailedDownload[];
};

const NOTHING: Downloads = { state: 'idle', total: 0, done: 0, bytes: 0, failed: [] };
/** The browser has taken over what it was given by then. */
const RELEASE_MS = 60_000;

/** Hands a file to the browser, which saves it where it saves downloads. */
function save({ blob, name }: DownloadedFile): void {
  const url = URL.createObjectURL(blob);
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), RELEASE_MS);
}

/** Downloads files one after the other; one that fails keeps no other away. It ends when the component goes. */
export function useDownloads() {
  const [downloads, setDownloads] = useState(NOTHING);
  const abort = useRef<AbortController>(undefined);
  useEffect(() => () => abort.current?.abort(), []);

  const start = async (find: (signal: AbortSignal) => Promise<readonly number[]>, options: DownloadOptions) => {
    const own = new AbortController();
    abort.current = own;
    const { signal } = own;
    let now: Downloads = { ...NOTHING, state: 'running' };
    const note = (part: Partial<Downloads>) => {
      now = { ...now, ...part };
      setDownloads(now);
    };
    note({});
    try {
      const ids = await find(signal);
      note({ total: ids.length });
      for (const id of ids) {
        const { bytes: before } = now;
        try {
          save(await downloadFile(id, options, { signal, onBytes: (bytes) => note({ bytes: before + bytes }) }));
          note({ done: now.done + 1 });
        } catch (error) {
          if (signal.aborted) break;
          note({ failed: [...now.failed, { id, why: toProblem(error).detail }] });
        }
      }
    } catch (error) {
      if (!signal.aborted) note({ failed: [{ id: 0, why: toProblem(error).detail }] });
    }
    note({ state: signal.aborted ? 'cancelled' : 'done' });
  };
  return { downloads, start, cancel: () => abort.current?.abort() };
}
