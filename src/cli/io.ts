/** What a command gets from the process that runs it. */
export type CommandIo = {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly stdout: NodeJS.WriteStream;
  readonly stderr: NodeJS.WriteStream;
  /** Aborts on Ctrl-C and SIGTERM. */
  readonly signal: AbortSignal;
};
