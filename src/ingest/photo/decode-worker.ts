/** Child process for decoders in WebAssembly: turns a HEIC or camera RAW file into a JPEG that sharp can open. */
import { setPriority } from 'node:os';
import { decodeHeic } from './heic-decoder.ts';
import { allowPhotoLoadersOnly } from './loaders.ts';
import { developRaw } from './raw-decoder.ts';
import { serveRequests } from '../worker-requests.ts';

/** Which decoder, from which file, to which JPEG. */
export type DecodeRequest = { readonly kind: 'heic' | 'raw'; readonly path: string; readonly outPath: string };

/** Below the service's own threads, like all ingest work. */
const NICENESS = 10;

setPriority(NICENESS);
allowPhotoLoadersOnly();
serveRequests(({ kind, path, outPath }: DecodeRequest) =>
  kind === 'heic' ? decodeHeic(path, outPath) : developRaw(path, outPath),
);
