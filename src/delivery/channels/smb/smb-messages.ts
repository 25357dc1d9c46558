/**
 * What goes between the service and a child that has the SMB library: frames of a JSON head and a body of bytes, over a socket that
 * only the two have. One answer a request, in their order.
 */

/** What a child needs to reach a share. The password is in no argument, variable or file, only in this message. */
export type SmbShare = {
  readonly host: string;
  readonly port: number;
  readonly share: string;
  readonly domain: string;
  readonly user: string;
  readonly password: string;
  readonly encryption: 'required' | 'if_offered';
  readonly minProtocol: string;
  /** Below the share, without slashes at its ends; empty is the share itself. */
  readonly prefix: string;
  /** How long the server may owe one answer. */
  readonly stallMs: number;
};

/** Paths are below the prefix. A child has at most one file open; `open` closes the one before. */
export type SmbRequest =
  | { readonly op: 'connect'; readonly share: SmbShare }
  | { readonly op: 'stat'; readonly path: string }
  | { readonly op: 'names'; readonly path: string }
  | { readonly op: 'makeFolder'; readonly path: string }
  | { readonly op: 'remove'; readonly path: string }
  /** Replaces what has the name. */
  | { readonly op: 'rename'; readonly from: string; readonly to: string }
  /** new: emptied when it is there. append: its bytes stay, and the place is `offset`. */
  | { readonly op: 'open'; readonly path: string; readonly how: 'new' | 'append' | 'read'; readonly offset: number }
  /** The body, at the place of the open file. */
  | { readonly op: 'write' }
  /** A part of a file of this machine, at the place of the open file. */
  | { readonly op: 'copy'; readonly file: string; readonly from: number; readonly until: number }
  /** From the place of the open file on; the answer's body is shorter at its end. */
  | { readonly op: 'read'; readonly bytes: number }
  /** Reads the open file from its place up to `until`, and hashes that. */
  | { readonly op: 'hash'; readonly until: number }
  /** The SHA-256 of what `hash` has read since `open`. */
  | { readonly op: 'digest' }
  | { readonly op: 'close' }
  /** The body, or else a file of this machine, as a file under `path`, read back. With `rename` it gets this name when its bytes are right, and replaces what has it. */
  | {
      readonly op: 'store';
      readonly path: string;
      readonly sha256: string;
      readonly rename?: string | undefined;
      readonly file?: string | undefined;
    };

export type SmbReply = {
  /** Of the system call that failed. Absent: it went well. */
  readonly errno?: number;
  /** Of stat: absent when there is none. */
  readonly file?: { readonly bytes: number; readonly modifiedAtMs: number; readonly isFolder: boolean };
  readonly names?: readonly string[];
  /** Bytes of the file that was opened, before. */
  readonly bytes?: number;
  readonly sha256?: string;
  /** The file of this machine could not be read: the code of the system. */
  readonly sourceFault?: string;
};

/** What library and command go by, instead of the machine's own settings. */
export const SMB_SETTINGS = new URL('client.conf', import.meta.url);

/** Those for which smb-library.ts knows how the system lays out its structures. */
export const SMB_PROCESSORS: readonly ['x64', 'arm64'] = ['x64', 'arm64'];

/** Two lengths of 4 bytes each: head, body. */
export const FRAME_HEAD_BYTES = 8;

export function frameHead(message: SmbRequest | SmbReply, bodyBytes: number): Buffer {
  const json = Buffer.from(JSON.stringify(message));
  const head = Buffer.allocUnsafe(FRAME_HEAD_BYTES + json.length);
  head.writeUInt32LE(json.length, 0);
  head.writeUInt32LE(bodyBytes, 4);
  json.copy(head, FRAME_HEAD_BYTES);
  return head;
}
