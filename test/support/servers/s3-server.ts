import { mkdtemp, rm } from 'node:fs/promises';
import type { Server } from 'node:http';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { noteServer } from './server-note.ts';
import { fileURLToPath } from 'node:url';
import { freePort, runServer, type ServerProcess } from './server-process.ts';

type S3rverServer = { readonly httpServer: Server; run(): Promise<{ readonly port: number }>; close(): Promise<void> };
// The package has no types: this is the part of it that is used here.
export const S3rver = createRequire(import.meta.url)('@20minutes/s3rver') as new (options: object) => S3rverServer;

export type S3Server = {
  readonly port: number;
  readonly bucket: string;
  restart(): Promise<void>;
  stop(): Promise<void>;
};

/** The quick S3 server: user `S3RVER`, secret `S3RVER`. It has no lists of parts and uploads. */
export async function startS3Server(options: { readonly checkSignatures: boolean }): Promise<S3Server> {
  const directory = await mkdtemp(join(tmpdir(), 'touchline-s3-'));
  const launch = async (wanted: number) => {
    const server = new S3rver({
      address: '127.0.0.1',
      port: wanted,
      silent: true,
      allowMismatchedSignatures: !options.checkSignatures,
      directory,
      configureBuckets: [{ name: 'library' }],
    });
    const { port } = await server.run();
    return { server, port };
  };
  const end = async ({ server }: { readonly server: S3rverServer }): Promise<void> => {
    server.httpServer.closeAllConnections();
    await server.close();
  };
  let running = await launch(0);
  noteServer('s3rver');
  return {
    port: running.port,
    bucket: 'library',
    restart: async () => {
      await end(running);
      running = await launch(running.port);
    },
    stop: async () => {
      await end(running);
      await rm(directory, { recursive: true });
    },
  };
}

export type S3TestProcess = ServerProcess & { readonly bucket: string };

/** The same as a process of its own, which can be killed. */
export async function startS3Process(options: { readonly checkSignatures: boolean }): Promise<S3TestProcess> {
  const directory = await mkdtemp(join(tmpdir(), 'touchline-s3-'));
  const port = await freePort();
  const script = fileURLToPath(new URL('run-s3-server.ts', import.meta.url));
  const args = [script, JSON.stringify({ port, directory, allowMismatchedSignatures: !options.checkSignatures })];
  const server = await runServer({ command: process.execPath, args, port });
  return {
    ...server,
    bucket: 'library',
    stop: async () => {
      await server.stop();
      await rm(directory, { recursive: true });
    },
  };
}
