import type { FaceWeights } from './face-weights.ts';
import { type Kernel as Weights, toOutputMajor } from './graph-builder.ts';
import { encodeModel, FLOAT, type OnnxNode, type OnnxTensor, UINT8 } from './onnx-writer.ts';

/** Batch normalisation constant of the trained network (TensorFlow's 0.001 as float32). */
const BATCH_NORM_EPSILON = 0.0010000000474974513;
/** MobileNetV1 (Howard et al. 2017, table 1): the depthwise layers that halve the grid; the one at 11 feeds the finest predictor. */
const HALVING_BLOCKS: readonly number[] = [2, 4, 6, 12];
const BLOCKS = 13;
const FIRST_PREDICTED_BLOCK = 11;
/** SSD's extra feature layers: odd ones halve the grid and feed a predictor. */
const EXTRA_LAYERS = 8;
const CLASSES = 3;

type Convolution = {
  readonly input: string;
  readonly weights: Weights;
  readonly bias: Float32Array;
  readonly stride?: number;
  readonly groups?: number;
  readonly relu?: boolean;
};

/**
 * The face detector as an ONNX model: input `image` uint8 [1, height, width, 3] with both sides a multiple of 32; outputs
 * `boxes` [1, anchors, 4] and `classes` [1, anchors, 3], both undecoded (see face-anchors.ts for their order).
 */
export function buildFaceModel(weights: FaceWeights): Buffer {
  const nodes: OnnxNode[] = [];
  const constants: OnnxTensor[] = [];

  const constant = (name: string, shape: readonly number[], data: OnnxTensor['data']): string => {
    constants.push({ name, shape, data });
    return name;
  };
  const node = (operator: string, inputs: readonly string[], attributes: OnnxNode['attributes'] = {}): string => {
    const output = `v${nodes.length}`;
    nodes.push({ operator, inputs, output, attributes });
    return output;
  };

  const floor = constant('relu_min', [], Float32Array.of(0));
  const ceiling = constant('relu_max', [], Float32Array.of(6));
  const convolution = ({ input, weights, bias, stride = 1, groups = 1, relu = true }: Convolution): string => {
    const id = `w${constants.length}`;
    constant(id, weights.shape, weights.data);
    constant(`${id}_bias`, [bias.length], bias);
    const output = node('Conv', [input, id, `${id}_bias`], {
      auto_pad: 'SAME_UPPER',
      strides: [stride, stride],
      group: groups,
      kernel_shape: weights.shape.slice(2),
      dilations: [1, 1],
    });
    return relu ? node('Clip', [output, floor, ceiling]) : output;
  };
  const pointwise = (input: string, layer: string, stride = 1): string =>
    convolution({
      input,
      weights: toOutputMajor(weights.get(`${layer}_pointwise/weights`)),
      bias: weights.get(`${layer}_pointwise/convolution_bn_offset`).data,
      stride,
    });
  const depthwise = (input: string, layer: string, stride: number): string => {
    const folded = foldBatchNorm(weights, `${layer}_depthwise`);
    return convolution({ input, ...folded, stride, groups: folded.bias.length });
  };

  // Pixels 0..255 become -1..1, and channels come first.
  const pixels = node('Transpose', [node('Cast', ['image'], { to: FLOAT })], { perm: [0, 3, 1, 2] });
  const scaled = node('Div', [pixels, constant('half_range', [1], Float32Array.of(127.5))]);
  let features = node('Sub', [scaled, constant('one', [1], Float32Array.of(1))]);

  features = pointwise(features, 'MobilenetV1/Conv2d_0', 2);
  const predicted: string[] = [];
  for (let block = 1; block <= BLOCKS; block += 1) {
    const layer = `MobilenetV1/Conv2d_${block}`;
    features = pointwise(depthwise(features, layer, HALVING_BLOCKS.includes(block) ? 2 : 1), layer);
    if (block === FIRST_PREDICTED_BLOCK || block === BLOCKS) predicted.push(features);
  }
  for (let extra = 0; extra < EXTRA_LAYERS; extra += 1) {
    const halves = extra % 2 === 1;
    features = pointwise(features, `Prediction/Conv2d_${extra}`, halves ? 2 : 1);
    if (halves) predicted.push(features);
  }

  const predictor = (kind: string, values: number): string[] => {
    const shape = constant(`shape_${kind}`, [3], BigInt64Array.of(0n, -1n, BigInt(values)));
    return predicted.map((input, level) => {
      const layer = `Prediction/BoxPredictor_${level}/${kind}`;
      const kernel = toOutputMajor(weights.get(`${layer}/weights`));
      const map = convolution({ input, weights: kernel, bias: weights.get(`${layer}/biases`).data, relu: false });
      return node('Reshape', [node('Transpose', [map], { perm: [0, 2, 3, 1] }), shape]);
    });
  };
  const boxes = predictor('BoxEncodingPredictor', 4);
  const classes = predictor('ClassPredictor', CLASSES);
  nodes.push({ operator: 'Concat', inputs: boxes, output: 'boxes', attributes: { axis: 1 } });
  nodes.push({ operator: 'Concat', inputs: classes, output: 'classes', attributes: { axis: 1 } });

  return encodeModel({
    name: 'face_ssd_mobilenet_v1',
    nodes,
    constants,
    inputs: [{ name: 'image', elementType: UINT8, shape: ['batch', 'height', 'width', 3] }],
    outputs: [
      { name: 'boxes', elementType: FLOAT, shape: ['batch', 'anchors', 4] },
      { name: 'classes', elementType: FLOAT, shape: ['batch', 'anchors', CLASSES] },
    ],
  });
}

/**
 * Depthwise kernels with their batch normalisation folded in: y = gamma * (x - mean) / sqrt(variance + epsilon) + beta becomes
 * a scale on the kernel and a bias.
 */
function foldBatchNorm(
  weights: FaceWeights,
  layer: string,
): { readonly weights: Weights; readonly bias: Float32Array } {
  const kernel = weights.get(`${layer}/depthwise_weights`);
  const [gamma, beta, mean, variance] = ['gamma', 'beta', 'moving_mean', 'moving_variance'].map(
    (part) => weights.get(`${layer}/BatchNorm/${part}`).data,
  );
  const [height = 0, width = 0, channels = 0] = kernel.shape;
  const area = height * width;
  const data = new Float32Array(kernel.data.length);
  const bias = new Float32Array(channels);
  for (let channel = 0; channel < channels; channel += 1) {
    const scale = (gamma?.[channel] ?? 0) / Math.sqrt((variance?.[channel] ?? 0) + BATCH_NORM_EPSILON);
    bias[channel] = (beta?.[channel] ?? 0) - (mean?.[channel] ?? 0) * scale;
    for (let cell = 0; cell < area; cell += 1) {
      data[channel * area + cell] = (kernel.data[cell * channels + channel] ?? 0) * scale;
    }
  }
  return { weights: { shape: [channels, 1, height, width], data }, bias };
}
