import { createHash } from 'node:crypto';
import type { ReadBack } from '../put-by-rename.ts';
import type { Sink } from './sftp-messages.ts';

type Part = { readonly early: Uint8Array[]; isWhole: boolean };

/** Hashes what comes in parts, many at once, in the order in which the parts were begun. */
export type InOrder = {
  /** `sink` gets the bytes of this part; `end` says that it has them all. */
  part(): { readonly sink: Sink; end(): void };
  /** When all parts have ended. */
  result(): ReadBack;
};

/** Parts mostly come one after the other, and are hashed as they come; of others a copy waits. */
export function hashInOrder(): InOrder {
  const hash = createHash('sha256');
  const parts: Part[] = [];
  let bytes = 0;
  const take = (chunk: Uint8Array): void => {
    hash.update(chunk);
    bytes += chunk.length;
  };
  const goOn = (): void => {
    while (parts[0]?.isWhole === true) {
      parts.shift();
      for (const chunk of parts[0]?.early.splice(0) ?? []) take(chunk);
    }
  };
  return {
    part() {
      const part: Part = { early: [], isWhole: false };
      parts.push(part);
      return {
        sink: (chunk) => {
          if (part === parts[0]) take(chunk);
          else part.early.push(Uint8Array.from(chunk));
        },
        end() {
          part.isWhole = true;
          goOn();
        },
      };
    },
    result: () => ({ sha256: hash.digest('hex'), bytes }),
  };
}
