import type { FaceWeights } from './face-weights.ts';
import { startFaceGraph, toDepthwise, toOutputMajor } from './graph-builder.ts';

/** Side of the picture of one face that the network was trained on. */
export const LANDMARK_SIDE_PX = 112;
/** x and y of 68 points (the numbering of the iBUG 300-W set). */
const VALUES = 136;
const BLOCKS = 4;

/**
 * face-api's network of landmarks: input `image` uint8 [1, 112, 112, 3], output `values` [1, 136], x and y of each point in
 * turn, as shares of the side.
 */
export function buildLandmarkModel(weights: FaceWeights): Buffer {
  const graph = startFaceGraph(LANDMARK_SIDE_PX);

  const separable = (input: string, name: string, stride: number): string => {
    const depthwise = toDepthwise(weights.get(`${name}/depthwise_filter`));
    const [channels = 1] = depthwise.shape;
    const spread = graph.convolution(input, { kernel: depthwise, stride, groups: channels });
    const pointwise = toOutputMajor(weights.get(`${name}/pointwise_filter`));
    return graph.convolution(spread, { kernel: pointwise, bias: weights.get(`${name}/bias`).data });
  };
  const first = (input: string, name: string): string => {
    const kernel = toOutputMajor(weights.get(`${name}/filters`));
    return graph.convolution(input, { kernel, bias: weights.get(`${name}/bias`).data, stride: 2 });
  };

  /** Each layer sees the sum of all before it. */
  const dense = (input: string, index: number): string => {
    const name = `dense${index}`;
    let sum = graph.relu(index === 0 ? first(input, `${name}/conv0`) : separable(input, `${name}/conv0`, 2));
    let seen = sum;
    for (const layer of ['conv1', 'conv2', 'conv3']) {
      sum = graph.add(sum, separable(seen, `${name}/${layer}`, 1));
      seen = graph.relu(sum);
    }
    return seen;
  };

  let features = graph.features;
  for (let index = 0; index < BLOCKS; index += 1) features = dense(features, index);
  const pooled = graph.node('AveragePool', [features], { kernel_shape: [7, 7], strides: [2, 2] });
  const flat = graph.node('Flatten', [pooled], { axis: 1 });
  const fc = weights.get('fc/weights');
  const bias = graph.constant([VALUES], weights.get('fc/bias').data);
  const output = graph.add(graph.node('MatMul', [flat, graph.constant(fc.shape, fc.data)]), bias);
  return graph.finish({ name: 'face_landmarks_68', output, values: VALUES });
}
