import type { WeightTensor } from './face-weights.ts';
import { type Attributes, encodeModel, FLOAT, type OnnxNode, type OnnxTensor, UINT8 } from './onnx-writer.ts';

/** A kernel as ONNX has it: [out, in, height, width]. */
export type Kernel = { readonly shape: readonly number[]; readonly data: Float32Array };

export type Convolution = {
  readonly kernel: Kernel;
  readonly bias?: Float32Array | undefined;
  readonly stride?: number;
  readonly groups?: number;
  /** `same` unless given. */
  readonly padding?: 'same' | 'valid';
};

export type GraphBuilder = {
  constant(shape: readonly number[], data: OnnxTensor['data']): string;
  node(operator: string, inputs: readonly string[], attributes?: Attributes): string;
  convolution(input: string, options: Convolution): string;
  relu(input: string): string;
  add(left: string, right: string): string;
  /** The bytes of a model whose one output has the shape [batch, values]. */
  finish(model: { readonly name: string; readonly output: string; readonly values: number }): Buffer;
};

/** What the networks of face-api subtract from the channels before they divide by 255: the mean of what they were trained on. */
const MEAN_RGB = [122.782, 117.001, 104.298];

/** A graph over `image`, uint8 [1, side, side, 3]; its features, channels first and normalised, are `features`. */
export function startFaceGraph(sidePx: number): GraphBuilder & { readonly features: string } {
  const nodes: OnnxNode[] = [];
  const constants: OnnxTensor[] = [];

  const constant: GraphBuilder['constant'] = (shape, data) => {
    const name = `c${constants.length}`;
    constants.push({ name, shape, data });
    return name;
  };
  const node: GraphBuilder['node'] = (operator, inputs, attributes = {}) => {
    const output = `v${nodes.length}`;
    nodes.push({ operator, inputs, output, attributes });
    return output;
  };
  const convolution: GraphBuilder['convolution'] = (
    input,
    { kernel, bias, stride = 1, groups = 1, padding = 'same' },
  ) => {
    const inputs = [input, constant(kernel.shape, kernel.data), ...(bias ? [constant([bias.length], bias)] : [])];
    return node('Conv', inputs, {
      auto_pad: padding === 'same' ? 'SAME_UPPER' : 'VALID',
      strides: [stride, stride],
      group: groups,
      kernel_shape: kernel.shape.slice(2),
      dilations: [1, 1],
    });
  };

  const pixels = node('Transpose', [node('Cast', ['image'], { to: FLOAT })], { perm: [0, 3, 1, 2] });
  const centred = node('Sub', [pixels, constant([1, 3, 1, 1], Float32Array.from(MEAN_RGB))]);
  const features = node('Div', [centred, constant([1], Float32Array.of(255))]);

  return {
    features,
    constant,
    node,
    convolution,
    relu: (input) => node('Relu', [input]),
    add: (left, right) => node('Add', [left, right]),
    finish({ name, output, values }) {
      nodes.push({ operator: 'Identity', inputs: [output], output: 'values' });
      return encodeModel({
        name,
        nodes,
        constants,
        inputs: [{ name: 'image', elementType: UINT8, shape: [1, sidePx, sidePx, 3] }],
        outputs: [{ name: 'values', elementType: FLOAT, shape: [1, values] }],
      });
    },
  };
}

/** TensorFlow keeps kernels as [height, width, in, out], ONNX as [out, in, height, width]. */
export function toOutputMajor({ shape, data }: WeightTensor): Kernel {
  const [height = 0, width = 0, inputs = 0, outputs = 0] = shape;
  const out = new Float32Array(data.length);
  let from = 0;
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) {
      for (let input = 0; input < inputs; input += 1) {
        for (let output = 0; output < outputs; output += 1) {
          out[((output * inputs + input) * height + y) * width + x] = data[from] ?? 0;
          from += 1;
        }
      }
    }
  }
  return { shape: [outputs, inputs, height, width], data: out };
}

/** Depthwise kernels: TensorFlow's [height, width, channels, 1] as [channels, 1, height, width]. */
export function toDepthwise({ shape, data }: WeightTensor): Kernel {
  const [height = 0, width = 0, channels = 0] = shape;
  const { data: swapped } = toOutputMajor({ shape: [height, width, 1, channels], data });
  return { shape: [channels, 1, height, width], data: swapped };
}
