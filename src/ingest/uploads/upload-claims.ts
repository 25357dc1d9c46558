import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { AppError, SECOND_MS } from '../../base/index.ts';
import type { LibraryScope } from '../../auth/index.ts';
import type { Database } from '../../db/index.ts';
import { renewLock } from './upload-store.ts';

/** A third of the lease. */
const RENEW_MS = 5 * SECOND_MS;

export const uploadLocked = () =>
  new AppError('upload_locked', 'expected no other request that writes to this upload: wait, or ask with HEAD first', {
    retryAfterSeconds: 1,
  });

/** The right of one request of this process to work at an upload. */
export type Claim = {
  readonly lockToken: string;
  /** Keeps the lock in the database from now on. */
  keep(id: number): void;
  /** From now on nobody interrupts: the bytes are there. */
  shield(): void;
};

/** Which uploads this process works at; each by one request. */
export type UploadClaims = {
  /**
   * @param options.interrupt ends the request that brings the bytes; called when another one wants to go on, or the lock is lost
   * @throws AppError `upload_locked` when this process works at it already
   */
  run<T>(
    upload: { readonly scope: LibraryScope; readonly id: number | string },
    options: { readonly interrupt: () => void },
    work: (claim: Claim) => Promise<T>,
  ): Promise<T>;
  /** Interrupts who works at the upload and waits until that has ended. False when it has not after `withinMs`. */
  interrupt(upload: { readonly scope: LibraryScope; readonly id: number | string }, withinMs: number): Promise<boolean>;
  /** The same for all. */
  interruptAll(): Promise<void>;
};

type Active = { interrupt: () => void; readonly ended: Promise<void> };

/** @param options.node what the lock tokens of this process begin with */
export function createUploadClaims({ db, node }: { readonly db: Database; readonly node: string }): UploadClaims {
  const active = new Map<string, Active>();
  const keyOf = ({ scope, id }: { readonly scope: LibraryScope; readonly id: number | string }) =>
    `${scope.organizationId}:${id}`;

  return {
    async run(upload, options, work) {
      const key = keyOf(upload);
      if (active.has(key)) throw uploadLocked();
      let end = (): void => undefined;
      const ended = new Promise<void>((resolve) => {
        end = resolve;
      });
      const own: Active = { interrupt: options.interrupt, ended };
      active.set(key, own);
      const lockToken = `${node}/${randomUUID()}`;
      let timer: NodeJS.Timeout | undefined;
      const renew = async (id: number) => {
        // A database that does not answer for a moment takes no lock away.
        const kept = await renewLock(db, { id, lockToken }).catch(() => true);
        if (!kept) own.interrupt();
      };
      try {
        return await work({
          lockToken,
          keep: (id) => {
            timer = setInterval(() => void renew(id), RENEW_MS);
          },
          shield: () => {
            own.interrupt = () => undefined;
          },
        });
      } finally {
        clearInterval(timer);
        active.delete(key);
        end();
      }
    },

    async interrupt(upload, withinMs) {
      const found = active.get(keyOf(upload));
      if (!found) return true;
      found.interrupt();
      const waiting = new AbortController();
      const late = delay(withinMs, false, { signal: waiting.signal }).catch(() => false);
      const inTime = await Promise.race([found.ended.then(() => true), late]);
      waiting.abort();
      return inTime;
    },

    async interruptAll() {
      const all = [...active.values()];
      for (const one of all) one.interrupt();
      await Promise.all(all.map((one) => one.ended));
    },
  };
}
