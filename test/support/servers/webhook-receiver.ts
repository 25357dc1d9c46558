import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Webhook } from 'standardwebhooks';

export type Received = {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
  /** `webhook-id` */
  readonly id: string;
};

/** What a path answers: a status, or whatever the function does with the answer. */
export type Reply = number | ((response: ServerResponse, received: Received) => void);

export type WebhookReceiver = {
  readonly url: string;
  readonly port: number;
  /** Everything that arrived, in order; of one path where it is given. */
  received(path?: string): readonly Received[];
  /** What the path answers from now on; 204 until then. */
  answer(path: string, reply: Reply): void;
  close(): Promise<void>;
};

/** A server that keeps what is posted to it. */
export async function startWebhookReceiver(): Promise<WebhookReceiver> {
  const all: Received[] = [];
  const replies = new Map<string, Reply>();
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => void chunks.push(chunk));
    request.on('end', () => {
      const path = request.url ?? '';
      const { headers } = request;
      const body = Buffer.concat(chunks).toString();
      const received = { path, headers, body, id: String(headers['webhook-id']) };
      all.push(received);
      const reply = replies.get(path) ?? 204;
      if (typeof reply === 'number') response.writeHead(reply).end();
      else reply(response, received);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    port,
    received: (path) => all.filter((one) => path === undefined || one.path === path),
    answer: (path, reply) => void replies.set(path, reply),
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

/** The payload, when the reference library of Standard Webhooks accepts its signature. @throws when it does not */
export function verified(received: Received, secret: string): Record<string, any> {
  const text = (name: string) => String(received.headers[name]);
  return new Webhook(secret).verify(received.body, {
    'webhook-id': text('webhook-id'),
    'webhook-timestamp': text('webhook-timestamp'),
    'webhook-signature': text('webhook-signature'),
  }) as Record<string, any>;
}
