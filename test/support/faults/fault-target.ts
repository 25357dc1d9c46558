/** A real server of one kind of destination, seen from behind: what lies there, what was given which name, and how to harm it. */
import type { CuttingProxy } from '../servers/cutting-proxy.ts';

type Fields = Readonly<Record<string, unknown>>;

/** Where one test delivers to: nothing else is there. */
export type FaultPlace = {
  readonly config: Fields;
  readonly secrets: Fields;
  /** The bytes of everything that can be seen there, temporary files too, by name. */
  sizes(): Promise<ReadonlyMap<string, number>>;
  /** SHA-256 by name. */
  hashes(): Promise<ReadonlyMap<string, string>>;
  /** What is kept unfinished and invisible, such as parts of an upload; undefined where the target cannot say. */
  unfinished?(): Promise<readonly string[]>;
  /** How often a file was given each name. */
  arrivals(): Promise<ReadonlyMap<string, number>>;
  /** Somebody else's file. */
  putForeign(name: string, bytes: Buffer): Promise<void>;
  close(): Promise<void>;
};

export type FaultTarget = {
  readonly kind: string;
  /** Between the service and the server; a folder has none. */
  readonly proxy: CuttingProxy | undefined;
  /** Why files may be seen before they are whole, however they are sent; undefined for a server that never shows such. */
  readonly showsHalves: string | undefined;
  /** Whether arrivals are what the disk has seen; else they are what a proxy has seen answered. */
  readonly countsAll: boolean;
  place(name: string): Promise<FaultPlace>;
  /** Ends the server with SIGKILL, and starts it again on the same files. A folder has none. */
  readonly server: { kill(): Promise<void>; restart(): Promise<void> } | undefined;
  /** Instead of the secrets of a place; undefined where there are none to be wrong. */
  readonly wrongSecrets: Fields | undefined;
  /** A place of little space, which can get more; a string says why there is none. */
  readonly smallPlace: ((name: string, bytes: number) => Promise<FaultPlace & { grow(): Promise<void> }>) | string;
  /** A place where nothing may be written until `allow`; a string says why there is none. */
  readonly closedPlace: ((name: string) => Promise<FaultPlace & { allow(): Promise<void> }>) | string;
  close(): Promise<void>;
};

export type FaultKind = {
  /** The kind of destination, and its server where there are several. */
  readonly name: string;
  /** Also in the plain run of all tests. */
  readonly isQuick: boolean;
  /** Why it cannot be started here; undefined when it can. */
  missing(): string | undefined;
  start(): Promise<FaultTarget>;
};
