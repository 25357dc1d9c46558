import type { S3Client } from '@aws-sdk/client-s3';

/** SHA-256 of bodies, in hex. */
export type BodyHashes = WeakMap<object, string>;

/**
 * The hash of a body that is known goes into the signature, where the store compares it with what has arrived. Without it the client
 * would hash each body again.
 */
export function useBodyHashes(client: S3Client): BodyHashes {
  const hashes: BodyHashes = new WeakMap();
  client.middlewareStack.add(
    (next) => (args) => {
      const body = 'Body' in args.input ? args.input.Body : undefined;
      const sha256 = typeof body === 'object' ? hashes.get(body) : undefined;
      const { request } = args;
      if (sha256 !== undefined && typeof request === 'object' && request !== null && 'headers' in request) {
        // A request of this client has its headers by name.
        (request.headers as Record<string, string>)['x-amz-content-sha256'] = sha256;
      }
      return next(args);
    },
    { step: 'build', name: 'bodyHashes' },
  );
  return hashes;
}
