import type { FaceWeights } from './face-weights.ts';
import { type Convolution, startFaceGraph, toOutputMajor } from './graph-builder.ts';

/** Side of the picture of one face that the network was trained on. */
export const DESCRIPTOR_SIDE_PX = 150;
/** Numbers of a descriptor. */
const DESCRIPTOR_LENGTH = 128;

/**
 * dlib's residual network for faces, as face-api has it: the blocks of each width, in order. A `down` block halves the grid;
 * two of them come out one short of what is pooled beside them, and are padded.
 */
const BLOCKS = [
  ...['conv32_1', 'conv32_2', 'conv32_3'].map((name) => ({ name, down: undefined })),
  { name: 'conv64_down', down: { widens: true, padded: false } },
  ...['conv64_1', 'conv64_2', 'conv64_3'].map((name) => ({ name, down: undefined })),
  { name: 'conv128_down', down: { widens: true, padded: false } },
  ...['conv128_1', 'conv128_2'].map((name) => ({ name, down: undefined })),
  { name: 'conv256_down', down: { widens: true, padded: true } },
  ...['conv256_1', 'conv256_2'].map((name) => ({ name, down: undefined })),
  { name: 'conv256_down_out', down: { widens: false, padded: true } },
] as const;

/**
 * The network that turns a face into a descriptor: input `image` uint8 [1, 150, 150, 3], output `values` [1, 128]. Faces of
 * one person lie close together (Euclidean distance), those of two people further apart.
 */
export function buildDescriptorModel(weights: FaceWeights): Buffer {
  const graph = startFaceGraph(DESCRIPTOR_SIDE_PX);
  const layer = (input: string, name: string, options: Pick<Convolution, 'stride' | 'padding'> = {}): string =>
    graph.convolution(input, { ...scaledConvolution(weights, name), ...options });

  const pad = (input: string, ends: readonly bigint[]): string => {
    const pads = graph.constant([8], BigInt64Array.of(0n, 0n, 0n, 0n, ...ends));
    return graph.node('Pad', [input, pads]);
  };

  const keep = (input: string, name: string): string => {
    const inner = layer(graph.relu(layer(input, `${name}/conv1`)), `${name}/conv2`);
    return graph.relu(graph.add(inner, input));
  };
  const down = (
    input: string,
    name: string,
    options: { readonly widens: boolean; readonly padded: boolean },
  ): string => {
    const halved = graph.relu(layer(input, `${name}/conv1`, { stride: 2, padding: 'valid' }));
    const inner = layer(halved, `${name}/conv2`);
    const sized = options.padded ? pad(inner, [0n, 0n, 1n, 1n]) : inner;
    const pooled = graph.node('AveragePool', [input], { kernel_shape: [2, 2], strides: [2, 2] });
    const channels = BigInt(weights.get(`${name}/conv1/conv/filters`).shape[2] ?? 0);
    // The new channels of the shortcut are empty.
    const shortcut = options.widens ? pad(pooled, [0n, channels, 0n, 0n]) : pooled;
    return graph.relu(graph.add(shortcut, sized));
  };

  let features = graph.relu(layer(graph.features, 'conv32_down', { stride: 2, padding: 'valid' }));
  features = graph.node('MaxPool', [features], { kernel_shape: [3, 3], strides: [2, 2] });
  for (const block of BLOCKS) {
    features = block.down ? down(features, block.name, block.down) : keep(features, block.name);
  }
  const mean = graph.node('ReduceMean', [features], { axes: [2, 3], keepdims: 0 });
  const { shape, data } = weights.get('fc');
  const output = graph.node('MatMul', [mean, graph.constant(shape, data)]);
  return graph.finish({ name: 'face_descriptor', output, values: DESCRIPTOR_LENGTH });
}

/** A convolution with the scale that follows it folded in: (x * k + bias) * scale + shift. */
function scaledConvolution(weights: FaceWeights, name: string): Convolution {
  const kernel = toOutputMajor(weights.get(`${name}/conv/filters`));
  const bias = weights.get(`${name}/conv/bias`).data;
  const scale = weights.get(`${name}/scale/weights`).data;
  const shift = weights.get(`${name}/scale/biases`).data;
  const perOutput = kernel.data.length / scale.length;
  return {
    kernel: {
      shape: kernel.shape,
      data: kernel.data.map((value, index) => value * (scale[Math.floor(index / perOutput)] ?? 0)),
    },
    bias: bias.map((value, output) => value * (scale[output] ?? 0) + (shift[output] ?? 0)),
  };
}
