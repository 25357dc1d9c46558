import { InferenceSession, Tensor } from 'onnxruntime-node';
import { buildDescriptorModel, DESCRIPTOR_SIDE_PX } from './descriptor-graph.ts';
import type { FaceBox } from './face-boxes.ts';
import { chipOf, cutChip, type Point } from './face-chip.ts';
import { loadPixels, type Pixels } from './face-pixels.ts';
import { loadFaceWeights } from './face-weights.ts';
import { buildLandmarkModel, LANDMARK_SIDE_PX } from './landmark-graph.ts';

/** Of the tier that faces are looked for in; below, faces in a group lose the pixels that tell them apart. */
const SIDE_PX = 2048;
/** A face with fewer pixels a side than this tells nobody apart (the network sees 150). */
const MIN_FACE_PX = 48;

export type DescriptorModel = {
  /** One for each face, in their order; undefined for those that are too small. */
  describe(path: string, faces: readonly FaceBox[]): Promise<(Float32Array | undefined)[]>;
};

/** Builds the two networks in memory (about 0.5 s); 15 ms a face. */
export async function loadDescriptorModel(options: { readonly threads: number }): Promise<DescriptorModel> {
  const settings = { intraOpNumThreads: options.threads, interOpNumThreads: 1, graphOptimizationLevel: 'all' } as const;
  const open = (model: Buffer) => InferenceSession.create(model, settings);
  const landmarks = await open(buildLandmarkModel(await loadFaceWeights('face_landmark_68')));
  const descriptors = await open(buildDescriptorModel(await loadFaceWeights('face_recognition')));

  const run = async (session: InferenceSession, data: Uint8Array, sidePx: number): Promise<Float32Array> => {
    const { values } = await session.run({ image: new Tensor('uint8', data, [1, sidePx, sidePx, 3]) });
    if (!(values?.data instanceof Float32Array)) throw new Error('expected float output of a face network');
    return values.data;
  };

  const landmarksOf = async (pixels: Pixels, face: FaceBox): Promise<Point[]> => {
    const [width, height] = [face.w * pixels.width, face.h * pixels.height];
    const centre = { x: face.x * pixels.width + width / 2, y: face.y * pixels.height + height / 2 };
    const side = Math.max(width, height);
    const chip = { centre, side, angle: 0 };
    const values = await run(landmarks, cutChip(pixels, chip, LANDMARK_SIDE_PX), LANDMARK_SIDE_PX);
    return Array.from({ length: values.length / 2 }, (_, index) => ({
      x: centre.x + ((values[index * 2] ?? 0) - 0.5) * side,
      y: centre.y + ((values[index * 2 + 1] ?? 0) - 0.5) * side,
    }));
  };

  return {
    async describe(path, faces) {
      const pixels = await loadPixels(path, SIDE_PX, { enlarge: false });
      const found: (Float32Array | undefined)[] = [];
      for (const face of faces) {
        const isLarge = Math.min(face.w * pixels.width, face.h * pixels.height) >= MIN_FACE_PX;
        const chip = isLarge ? chipOf(await landmarksOf(pixels, face)) : undefined;
        found.push(chip && (await run(descriptors, cutChip(pixels, chip, DESCRIPTOR_SIDE_PX), DESCRIPTOR_SIDE_PX)));
      }
      return found;
    },
  };
}

/** Euclidean; faces of one person are mostly closer than 0.6 (the threshold that the network was trained for). */
export function descriptorDistance(one: ArrayLike<number>, other: ArrayLike<number>): number {
  let sum = 0;
  for (let index = 0; index < one.length; index += 1) sum += ((one[index] ?? 0) - (other[index] ?? 0)) ** 2;
  return Math.sqrt(sum);
}
