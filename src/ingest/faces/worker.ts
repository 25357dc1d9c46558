/** The face detector's child process: loads the model at once, then answers each FaceRequest. */
import { setPriority } from 'node:os';
import { AppError, messageOf } from '../../base/index.ts';
import { allowPhotoLoadersOnly } from '../photo/loaders.ts';
import { serveRequests } from '../worker-requests.ts';
import type { FaceReply, FaceRequest } from './face-detector.ts';
import { type DescriptorModel, loadDescriptorModel } from './face-descriptors.ts';
import { loadFaceModel } from './face-model.ts';

/** Below the service's own threads: nobody waits for faces, but people wait for pages. */
const NICENESS = 10;
/** Per 2048 px photo one thread took 240 ms and 240 ms of CPU, two took 145 and 287: ingest is about work, not latency. */
const THREADS = 1;

setPriority(NICENESS);
allowPhotoLoadersOnly();
const model = loadFaceModel({ threads: THREADS });

/** Most organizations never ask for it. */
let descriptors: Promise<DescriptorModel> | undefined;

const NOTHING: FaceReply = { faces: [], descriptors: [] };

serveRequests(async (request: FaceRequest): Promise<FaceReply> => {
  const { detect } = await model;
  if (request.kind === 'probe') return NOTHING;
  try {
    if (request.kind === 'detect') return { ...NOTHING, faces: await detect(request.path) };
    descriptors ??= loadDescriptorModel({ threads: THREADS });
    const found = await (await descriptors).describe(request.path, request.faces);
    return { ...NOTHING, descriptors: found.map((one) => (one ? [...one] : null)) };
  } catch (error) {
    throw new AppError('file_damaged', `the picture cannot be searched for faces: ${messageOf(error)}`, {
      cause: error,
    });
  }
});
