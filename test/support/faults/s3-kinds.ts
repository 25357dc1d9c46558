import { createHash } from 'node:crypto';
import {
  GetObjectCommand,
  ListMultipartUploadsCommand,
  ListObjectsV2Command,
  ListObjectVersionsCommand,
  PutBucketPolicyCommand,
  PutBucketVersioningCommand,
  PutObjectCommand,
  S3Client,
} from '@aws-sdk/client-s3';
import { startCephServer } from '../servers/ceph-server.ts';
import { startCuttingProxy } from '../servers/cutting-proxy.ts';
import { startS3Process } from '../servers/s3-server.ts';
import type { FaultPlace, FaultTarget } from './fault-target.ts';
import { countArrivals } from './object-places.ts';

const clientOf = (port: number, credentials: { readonly accessKeyId: string; readonly secretAccessKey: string }) =>
  new S3Client({
    region: 'us-east-1',
    endpoint: `http://127.0.0.1:${port}`,
    forcePathStyle: true,
    credentials,
    maxAttempts: 1,
  });

/** What every store says of the objects below a prefix. */
function lookInto(
  client: S3Client,
  Bucket: string,
  prefix: string,
): Pick<FaultPlace, 'sizes' | 'hashes' | 'putForeign'> {
  const sizes = async (): Promise<ReadonlyMap<string, number>> => {
    const { Contents = [] } = await client.send(new ListObjectsV2Command({ Bucket, Prefix: prefix }));
    return new Map(Contents.map(({ Key = '', Size = 0 }) => [Key.slice(prefix.length), Size]));
  };
  return {
    sizes,
    hashes: async () => {
      const found = new Map<string, string>();
      for (const key of (await sizes()).keys()) {
        const { Body } = await client.send(new GetObjectCommand({ Bucket, Key: prefix + key }));
        const bytes = (await Body?.transformToByteArray()) ?? new Uint8Array();
        found.set(key, createHash('sha256').update(bytes).digest('hex'));
      }
      return found;
    },
    putForeign: async (key, Body) =>
      void (await client.send(new PutObjectCommand({ Bucket, Key: prefix + key, Body }))),
  };
}

/** The quick server: it has no quotas, and shows what it writes. */
export async function startQuickS3(): Promise<FaultTarget> {
  // Its check of signatures fails on names of its own list requests; the ID of a key is always checked.
  const server = await startS3Process({ checkSignatures: false });
  const proxy = await startCuttingProxy(server);
  const { bucket } = server;
  const direct = clientOf(server.port, { accessKeyId: 'S3RVER', secretAccessKey: 'S3RVER' });
  const lacking = 'the quick server has no limit of space and no permissions';
  return {
    kind: 's3',
    countsAll: false,
    showsHalves: 'the quick server writes objects under their own names',
    proxy,
    server,
    wrongSecrets: { access_key_id: 'NOT-THE-ID', secret_access_key: 'not-the-secret' },
    smallPlace: lacking,
    closedPlace: lacking,
    place: async (name) => ({
      ...lookInto(direct, bucket, `${name}/`),
      config: { bucket, endpoint: `http://127.0.0.1:${proxy.port}`, prefix: name },
      secrets: { access_key_id: 'S3RVER', secret_access_key: 'S3RVER' },
      arrivals: async () =>
        countArrivals(proxy, {
          prefix: `/${bucket}/${name}/`,
          completes: ({ method }, query) =>
            (method === 'PUT' && !query.has('partNumber')) || (method === 'POST' && query.has('uploadId')),
        }),
      close: async () => {},
    }),
    close: async () => {
      direct.destroy();
      await proxy.close();
      await server.stop();
    },
  };
}

/** Ceph: each place is a bucket that keeps all versions, which count what was put there. */
export async function startCephS3(): Promise<FaultTarget> {
  const server = await startCephServer();
  const proxy = await startCuttingProxy(server);
  const direct = clientOf(server.port, server.owner);
  const stranger = clientOf(server.port, server.stranger);
  const secretsOf = ({ accessKeyId, secretAccessKey }: typeof server.owner) => ({
    access_key_id: accessKeyId,
    secret_access_key: secretAccessKey,
  });
  const place = async (Bucket: string): Promise<FaultPlace> => {
    await server.makeBucket(Bucket);
    const VersioningConfiguration = { Status: 'Enabled' } as const;
    await direct.send(new PutBucketVersioningCommand({ Bucket, VersioningConfiguration }));
    return {
      ...lookInto(direct, Bucket, ''),
      config: { bucket: Bucket, endpoint: `http://127.0.0.1:${proxy.port}` },
      secrets: secretsOf(server.owner),
      unfinished: async () => {
        const { Uploads = [] } = await direct.send(new ListMultipartUploadsCommand({ Bucket }));
        return Uploads.map(({ Key = '' }) => Key);
      },
      arrivals: async () => {
        const { Versions = [] } = await direct.send(new ListObjectVersionsCommand({ Bucket }));
        const counts = new Map<string, number>();
        for (const { Key = '' } of Versions) counts.set(Key, (counts.get(Key) ?? 0) + 1);
        return counts;
      },
      close: async () => {},
    };
  };
  return {
    kind: 's3',
    countsAll: true,
    showsHalves: undefined,
    proxy,
    server,
    wrongSecrets: { ...secretsOf(server.owner), secret_access_key: 'not-the-secret' },
    place,
    smallPlace: async (name, bytes) => {
      const small = await place(name);
      await server.limitBucket(name, bytes);
      return { ...small, grow: () => server.limitBucket(name, bytes * 100) };
    },
    closedPlace: async (Bucket) => {
      const closed = await place(Bucket);
      const Policy = JSON.stringify({
        Version: '2012-10-17',
        Statement: [
          {
            Effect: 'Allow',
            Principal: { AWS: ['arn:aws:iam:::user/stranger'] },
            Action: ['s3:*'],
            Resource: [`arn:aws:s3:::${Bucket}`, `arn:aws:s3:::${Bucket}/*`],
          },
        ],
      });
      return {
        ...closed,
        // Objects are of who has put them there, whosever the bucket is.
        hashes: lookInto(stranger, Bucket, '').hashes,
        secrets: secretsOf(server.stranger),
        allow: async () => void (await direct.send(new PutBucketPolicyCommand({ Bucket, Policy }))),
      };
    },
    close: async () => {
      stranger.destroy();
      direct.destroy();
      await proxy.close();
      await server.stop();
    },
  };
}
