import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

type CollectGarbage = (options: { readonly type: 'minor' }) => void;

// The only way to it in a process that was not started with the flag.
setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as CollectGarbage;

/**
 * For a thread through which bytes flow: call it with each number of bytes of fresh buffers. After `everyBytes` what died young is
 * collected, in less than a millisecond. V8 itself waits until there is a megabyte of objects, however large their buffers are, and
 * begins to look through all of the heap at some 9 MB of those: that took a third of the time of an SFTP session.
 */
export function createGarbageCount(everyBytes: number): (bytes: number) => void {
  let counted = 0;
  return (bytes) => {
    counted += bytes;
    if (counted < everyBytes) return;
    counted = 0;
    collectGarbage({ type: 'minor' });
  };
}
