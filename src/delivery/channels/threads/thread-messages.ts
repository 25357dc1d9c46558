/** What the service and a thread with a session tell each other. */
import type { MessagePort } from 'node:worker_threads';
import { ChannelError, type ChannelSession, type FaultCode, type Leftover, type PutOptions } from '../../channel.ts';
import { errorCode } from '../transfer.ts';

export type SessionTarget<Config, Secrets> = {
  readonly config: Config;
  readonly secrets: Secrets;
  readonly concurrency: number;
  readonly stallMs?: number | undefined;
};
export type OpenSession<Config, Secrets> = (
  target: SessionTarget<Config, Secrets> & { readonly signal: AbortSignal },
) => Promise<ChannelSession>;

export type SentPut = Pick<
  PutOptions,
  'path' | 'bytes' | 'sha256' | 'contentType' | 'file' | 'id' | 'isFirst' | 'resumeFrom' | 'staleToken' | 'replace'
>;
export type Call =
  | { readonly op: 'open'; readonly target: SessionTarget<unknown, unknown> }
  | { readonly op: 'put'; readonly put: SentPut }
  | { readonly op: 'stat' | 'remove' | 'leftovers'; readonly path: string }
  | { readonly op: 'read'; readonly path: string; readonly port: MessagePort }
  | { readonly op: 'removeLeftover'; readonly leftover: Leftover };

/** To the thread. `answered` is of what the thread asked in the course of a call. */
export type ToThread =
  | { readonly id: number; readonly call: Call }
  | { readonly id: number; readonly cancel: true }
  | { readonly id: number; readonly answered: number };

/** From the thread. The source of a put is asked for by a port for its chunks. */
export type FromThread =
  | { readonly id: number; readonly result: unknown }
  | { readonly id: number; readonly fault: ThreadFault }
  | { readonly id: number; readonly bytes: number }
  | { readonly id: number; readonly token: string; readonly ask: number }
  | { readonly id: number; readonly source: MessagePort; readonly offset: number };

/** Errors lose all but their message and code on the way. */
export type ThreadFault =
  | {
      readonly of: 'target';
      readonly code: FaultCode;
      readonly message: string;
      readonly hostKey?: string | undefined;
    }
  | { readonly of: 'other'; readonly code: string | undefined; readonly message: string };

export function faultMessage(error: unknown): ThreadFault {
  if (error instanceof ChannelError) {
    return { of: 'target', code: error.code, message: error.message, hostKey: error.hostKey };
  }
  return { of: 'other', code: errorCode(error), message: error instanceof Error ? error.message : 'it failed' };
}

export function errorOf(fault: ThreadFault): Error {
  if (fault.of === 'target') return new ChannelError(fault.code, fault.message, { hostKey: fault.hostKey });
  return Object.assign(new Error(fault.message), fault.code !== undefined && { code: fault.code });
}
