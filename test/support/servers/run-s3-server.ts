import { S3rver } from './s3-server.ts';

// The only one that starts it is `startS3Process`.
const settings = JSON.parse(process.argv[2] ?? '{}') as object;
const server = new S3rver({ address: '127.0.0.1', silent: true, configureBuckets: [{ name: 'library' }], ...settings });
await server.run();
