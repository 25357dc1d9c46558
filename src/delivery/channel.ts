/**
 * The one port behind which every kind of target lies. A file is complete under its name or absent: a temporary name beside it and a
 * rename, or an upload of parts that is completed in one step. Every wait ends: by the signal, or by a time limit of the channel.
 */
import type { Static, TObject } from 'typebox';
import type { NameRules } from './name-rules.ts';

/** What a target refuses for good; trying again changes nothing until somebody changes the destination or the target. */
export const PERMANENT_CODES = [
  'credentials',
  'permission',
  'not_found',
  'disk_full',
  'name_illegal',
  'name_taken',
  'refused',
  'unsupported',
  'source_changed',
] as const;
export type PermanentCode = (typeof PERMANENT_CODES)[number];
/** What may be over at the next try. */
export const TRANSIENT_CODES = ['unreachable', 'timeout', 'connection_lost', 'busy', 'corrupted', 'failed'] as const;
export type TransientCode = (typeof TRANSIENT_CODES)[number];
export type FaultCode = PermanentCode | TransientCode;

const PERMANENT: ReadonlySet<string> = new Set(PERMANENT_CODES);

/** A refusal of a target, in words that may be shown: never with a secret. Cancelled work throws the signal's reason instead. */
export class ChannelError extends Error {
  readonly code: FaultCode;
  /** The fingerprint that an SSH server has shown, where it is not the one that is expected. */
  readonly hostKey: string | undefined;
  constructor(
    code: FaultCode,
    message: string,
    options: { readonly cause?: unknown; readonly hostKey?: string | undefined } = {},
  ) {
    super(message, options);
    this.name = 'ChannelError';
    this.code = code;
    this.hostKey = options.hostKey;
  }
  get permanent(): boolean {
    return PERMANENT.has(this.code);
  }
}

export type PutOptions = {
  /** Relative to the root of the destination, segments joined by `/`, each safe by the channel's `names`. */
  readonly path: string;
  readonly bytes: number;
  /** 64 lower-case hex digits; other bytes are refused and nothing appears. */
  readonly sha256: string;
  readonly contentType: string;
  /** The source from `offset` on; may be called several times, one after the other or for several parts at once. */
  readonly read: (offset: number, signal: AbortSignal) => AsyncIterable<Uint8Array>;
  /** The source, where it is a whole file of this machine: a kind that lets the system copy files need not read it. */
  readonly file?: string | undefined;
  /** [a-z0-9-]{1,64}; names the temporary file, so that a second try with the same ID finds what the first one left. */
  readonly id: string;
  /** Nothing of this ID can be at the target: what an earlier try may have left need not be looked for. */
  readonly isFirst?: boolean | undefined;
  /** What `onToken` gave at an earlier try of the same ID; one that is no longer good is ignored. */
  readonly resumeFrom?: string | undefined;
  /** What `onToken` gave at an earlier try, of other bytes under the same path: nobody goes on from it, and what it names may go. */
  readonly staleToken?: string | undefined;
  /** Called when there is something to be resumed that the ID alone does not find; awaited before the first byte is sent. */
  readonly onToken?: ((token: string) => Promise<void>) | undefined;
  /** Bytes that the target has, also those of an earlier try; never falls. */
  readonly onProgress?: ((bytes: number) => void) | undefined;
  /** False: a file that has the name stays, and `name_taken` is thrown. */
  readonly replace: boolean;
  /** Not there for sidecars. */
  readonly offer?: FileOffer | undefined;
  readonly signal: AbortSignal;
};

/** For targets that fetch what they are told of. */
export type FileOffer = {
  /** What the file is of, as JSON. */
  readonly asset: Readonly<Record<string, unknown>>;
  /** A URL of exactly these bytes, which opens without a key until then. */
  url(expires: Date): Promise<string>;
};

export type PutResult = {
  /**
   * checksum: the target said the right one; read_back: the bytes were read from the target and hashed; accepted: the target was told of
   * the file, and said yes.
   */
  readonly verified: 'checksum' | 'read_back' | 'accepted';
  /** What the target calls what it keeps, as it says it. */
  readonly etag?: string;
  readonly version?: string;
  readonly checksum?: string;
  /** Bytes that this try sent: less than the file when it was resumed. */
  readonly sentBytes: number;
};

export type TargetFile = { readonly bytes: number; readonly modifiedAt?: Date; readonly etag?: string };

/** Something unfinished of ours: a temporary file, or an upload whose parts were not put together. */
export type Leftover = { readonly id: string; readonly path: string };

export type ChannelSession = {
  /**
   * Of a target that is told of files and fetches them itself: nothing can be looked at or removed there, and no sidecars go there.
   * `check` stands for the probe of others. @throws ChannelError, or the signal's reason
   */
  readonly fetches?: { check(signal: AbortSignal): Promise<void> } | undefined;
  /**
   * Stores a file whole, makes the folders that it needs, and checks what has arrived. A try that fails may leave a leftover, which
   * the next one with the same ID goes on from. @throws ChannelError, or the signal's reason
   */
  put(options: PutOptions): Promise<PutResult>;
  /** @throws ChannelError, or the signal's reason */
  stat(path: string, signal: AbortSignal): Promise<TargetFile | undefined>;
  /** @throws ChannelError `not_found` when there is none */
  read(path: string, signal: AbortSignal): AsyncIterable<Uint8Array>;
  /** Missing files are fine; folders stay. @throws ChannelError, or the signal's reason */
  remove(path: string, signal: AbortSignal): Promise<void>;
  /** Leftovers beside this path, of all IDs: at least those of puts of this path. @throws ChannelError, or the signal's reason */
  leftovers(path: string, signal: AbortSignal): Promise<readonly Leftover[]>;
  /** Missing ones are fine. @throws ChannelError, or the signal's reason */
  removeLeftover(leftover: Leftover, signal: AbortSignal): Promise<void>;
  /** Ends connections; puts under way fail. Never throws. */
  close(): Promise<void>;
};

type Fields = Readonly<Record<string, unknown>>;

/** A kind of target. Sessions take several puts at once, up to the destination's concurrency. */
export type DestinationChannel = {
  readonly kind: string;
  /** Strict objects: what a destination's `config` and `secrets` have. */
  readonly configSchema: TObject;
  readonly secretsSchema: TObject;
  readonly names: NameRules;
  /** What this machine lacks for it, such as a library; undefined when nothing. */
  missing?(): string | undefined;
  /** What a schema cannot say. @throws AppError `validation_failed` with pointers below `/config` */
  check?(config: Fields): void;
  /** @throws ChannelError, or the signal's reason */
  open(target: {
    readonly config: Fields;
    readonly secrets: Fields;
    readonly concurrency: number;
    /** How long a target may be silent, in either direction, before it is given up. Default: a minute. */
    readonly stallMs?: number | undefined;
    readonly signal: AbortSignal;
  }): Promise<ChannelSession>;
};

/** A channel whose config and secrets have the types of their schemas. */
export function defineChannel<Config extends TObject, Secrets extends TObject>(channel: {
  readonly kind: string;
  readonly configSchema: Config;
  readonly secretsSchema: Secrets;
  readonly names: NameRules;
  readonly missing?: () => string | undefined;
  readonly check?: (config: Static<Config>) => void;
  readonly open: (target: {
    readonly config: Static<Config>;
    readonly secrets: Static<Secrets>;
    readonly concurrency: number;
    readonly stallMs?: number | undefined;
    readonly signal: AbortSignal;
  }) => Promise<ChannelSession>;
}): DestinationChannel {
  const { check, missing } = channel;
  // Both were validated by these very schemas before they were stored, and are stored as JSON.
  const configOf = (fields: Fields) => fields as Static<Config>;
  const secretsOf = (fields: Fields) => fields as Static<Secrets>;
  return {
    kind: channel.kind,
    configSchema: channel.configSchema,
    secretsSchema: channel.secretsSchema,
    names: channel.names,
    ...(missing && { missing }),
    ...(check && { check: (config: Fields) => check(configOf(config)) }),
    open: ({ config, secrets, ...rest }) =>
      channel.open({ ...rest, config: configOf(config), secrets: secretsOf(secrets) }),
  };
}

/** The prefix of temporary names. A leading dot: programs that watch folders pass such files over. */
export const TEMPORARY_PREFIX = '.touchline-';

/**
 * The temporary path of a put, beside its file: renames inside one folder are what every server can do. Its ending is that of no media type:
 * where `.part` has one, the WebDAV server of rclone computes a checksum whenever such a file is read.
 */
export function temporaryPath(options: { readonly path: string; readonly id: string }): string {
  const slash = options.path.lastIndexOf('/') + 1;
  return `${options.path.slice(0, slash)}${TEMPORARY_PREFIX}${options.id}.partial`;
}

/** The ID in a temporary name (the last segment of a path), which ended with `.part` before. */
export function temporaryId(name: string): string | undefined {
  return /^\.touchline-([a-z0-9-]{1,64})\.part(?:ial)?$/.exec(name)?.[1];
}
