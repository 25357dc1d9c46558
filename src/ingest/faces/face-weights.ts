import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

export type WeightTensor = { readonly shape: readonly number[]; readonly data: Float32Array };
export type FaceWeights = { get(name: string): WeightTensor };

/** TensorFlow.js weights manifest: quantised tensors hold `value = integer * scale + min`. */
type ManifestEntry = {
  readonly name: string;
  readonly shape: readonly number[];
  readonly dtype: 'float32' | 'int32';
  readonly quantization?: { readonly dtype: 'uint8' | 'uint16'; readonly scale: number; readonly min: number };
};

const BYTES = { uint8: 1, uint16: 2, float32: 4, int32: 4 } as const;
const READERS = {
  uint8: (raw: Buffer, at: number) => raw[at] ?? 0,
  uint16: (raw: Buffer, at: number) => raw.readUInt16LE(at),
  float32: (raw: Buffer, at: number) => raw.readFloatLE(at),
  int32: (raw: Buffer, at: number) => raw.readInt32LE(at),
} as const;

/** The detector (5.6 MB), the network of landmarks (0.4 MB) and that of descriptors (6.4 MB); all with 8-bit weights. */
export type FaceNetwork = 'ssd_mobilenetv1' | 'face_landmark_68' | 'face_recognition';

/** Loads the weights of a network that ship inside the face-api package. */
export async function loadFaceWeights(network: FaceNetwork): Promise<FaceWeights> {
  const folder = join(dirname(createRequire(import.meta.url).resolve('@vladmandic/face-api/package.json')), 'model');
  const [manifest, binary] = await Promise.all([
    readFile(join(folder, `${network}_model-weights_manifest.json`), 'utf8'),
    readFile(join(folder, `${network}_model.bin`)),
  ]);
  // The manifest belongs to a pinned package; a missing tensor is caught by `get`.
  const [group] = JSON.parse(manifest) as readonly { readonly weights: readonly ManifestEntry[] }[];
  const tensors = new Map<string, WeightTensor>();
  let at = 0;
  for (const entry of group?.weights ?? []) {
    const size = entry.shape.reduce((product, length) => product * length, 1);
    const width = BYTES[entry.quantization?.dtype ?? entry.dtype];
    tensors.set(entry.name, { shape: entry.shape, data: decode(entry, binary.subarray(at, at + size * width)) });
    at += size * width;
  }
  return {
    get(name) {
      const tensor = tensors.get(name);
      if (!tensor)
        throw new Error(`expected the face model to hold the tensor ${name}, received a manifest without it`);
      return tensor;
    },
  };
}

function decode({ dtype, quantization }: ManifestEntry, raw: Buffer): Float32Array {
  const scale = quantization?.scale ?? 1;
  const min = quantization?.min ?? 0;
  const kind = quantization?.dtype ?? dtype;
  const width = BYTES[kind];
  const data = new Float32Array(raw.length / width);
  for (let index = 0; index < data.length; index += 1) {
    data[index] = READERS[kind](raw, index * width) * scale + min;
  }
  return data;
}
