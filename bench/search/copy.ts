/** COPY ... FROM STDIN over `pg`, which speaks the protocol but has no stream for it. */
import type pg from 'pg';

/** The part of pg's connection that copying uses; its typings leave it out. */
type CopyConnection = {
  query(text: string): void;
  sendCopyFromChunk(chunk: Buffer): void;
  endCopyFrom(): void;
  readonly stream: {
    readonly writableNeedDrain: boolean;
    once(event: 'drain', listener: () => void): unknown;
  };
};

const CHUNK_LENGTH = 1 << 18;

/** What COPY's text format wants of a value: null as \N, and no bare backslash, tab or line end. */
export function copyText(value: string | number | boolean | null): string {
  if (value === null) return '\\N';
  if (typeof value !== 'string') return String(value);
  return /[\\\t\n\r]/.test(value)
    ? value.replace(/[\\\t\n\r]/g, (one) => ({ '\\': '\\\\', '\t': '\\t', '\n': '\\n', '\r': '\\r' })[one] ?? one)
    : value;
}

/** Sends lines (values joined by tabs, each through `copyText`, without line end) and answers how many rows were stored. */
export function copyRows(client: pg.Client, statement: string, lines: Iterable<string>): Promise<number> {
  return new Promise((resolve, reject) => {
    const rows = lines[Symbol.iterator]();
    let stored = 0;
    const send = (connection: CopyConnection): void => {
      for (;;) {
        if (connection.stream.writableNeedDrain) {
          connection.stream.once('drain', () => send(connection));
          return;
        }
        const chunk: string[] = [];
        let length = 0;
        while (length < CHUNK_LENGTH) {
          const next = rows.next();
          if (next.done) {
            connection.sendCopyFromChunk(Buffer.from(chunk.join('')));
            connection.endCopyFrom();
            return;
          }
          chunk.push(next.value, '\n');
          length += next.value.length;
        }
        connection.sendCopyFromChunk(Buffer.from(chunk.join('')));
      }
    };
    client.query({
      // Typed by pg as its public Connection, which has these members at run time (pg/lib/connection.js).
      submit: (connection: unknown) => (connection as CopyConnection).query(statement),
      handleCopyInResponse: send,
      handleCommandComplete: (message: { readonly text: string }) => {
        stored = Number(message.text.split(' ').at(-1));
      },
      handleReadyForQuery: () => resolve(stored),
      handleError: (error: Error) => reject(error),
    });
  });
}
