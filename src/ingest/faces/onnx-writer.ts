/**
 * Writes an ONNX model, which is a protocol buffer: fields of a number and either a varint or bytes. Field numbers are those of
 * onnx.proto3 (ONNX 1.8, IR version 8); wire format: protobuf.dev/programming-guides/encoding.
 */
const WIRE_VARINT = 0;
const WIRE_BYTES = 2;

const ATTRIBUTE_INT = 2;
const ATTRIBUTE_STRING = 3;
const ATTRIBUTE_INTS = 7;

const IR_VERSION = 8;
const OPSET_VERSION = 13;

/** TensorProto.DataType */
export const FLOAT = 1;
export const UINT8 = 2;
export const INT64 = 7;

export type Attributes = Readonly<Record<string, number | string | readonly number[]>>;
export type OnnxNode = {
  readonly operator: string;
  readonly inputs: readonly string[];
  readonly output: string;
  readonly attributes?: Attributes;
};
export type OnnxTensor = {
  readonly name: string;
  readonly shape: readonly number[];
  readonly data: Float32Array | BigInt64Array;
};
/** An input or output; a text in the shape is a dimension known only at run time. */
export type OnnxPort = {
  readonly name: string;
  readonly elementType: number;
  readonly shape: readonly (number | string)[];
};
export type OnnxGraph = {
  readonly name: string;
  readonly nodes: readonly OnnxNode[];
  readonly constants: readonly OnnxTensor[];
  readonly inputs: readonly OnnxPort[];
  readonly outputs: readonly OnnxPort[];
};

/** Encoded fields as pieces in their order: weights of many megabytes are copied once, into the finished model. */
type Message = readonly Buffer[];

/** The bytes of an ONNX model file for a graph of standard operators. */
export function encodeModel(graph: OnnxGraph): Buffer {
  const operatorSet = message([text(1, ''), integer(2, OPSET_VERSION)]);
  return Buffer.concat(
    message([integer(1, IR_VERSION), text(2, 'touchline'), nested(7, encodeGraph(graph)), nested(8, operatorSet)]),
  );
}

function encodeGraph(graph: OnnxGraph): Message {
  return message([
    ...graph.nodes.map((node) => nested(1, encodeNode(node))),
    text(2, graph.name),
    ...graph.constants.map((tensor) => nested(5, encodeTensor(tensor))),
    ...graph.inputs.map((port) => nested(11, encodePort(port))),
    ...graph.outputs.map((port) => nested(12, encodePort(port))),
  ]);
}

function encodeNode(node: OnnxNode): Message {
  return message([
    ...node.inputs.map((input) => text(1, input)),
    text(2, node.output),
    text(3, node.output),
    text(4, node.operator),
    ...Object.entries(node.attributes ?? {}).map(([name, value]) => nested(5, encodeAttribute(name, value))),
  ]);
}

function encodeAttribute(name: string, value: Attributes[string]): Message {
  if (typeof value === 'number') return message([text(1, name), integer(3, value), integer(20, ATTRIBUTE_INT)]);
  if (typeof value === 'string') return message([text(1, name), text(4, value), integer(20, ATTRIBUTE_STRING)]);
  return message([text(1, name), nested(8, value.map(varint)), integer(20, ATTRIBUTE_INTS)]);
}

/** Raw data is little-endian by the standard, which every platform that Node and onnxruntime run on is too. */
function encodeTensor({ name, shape, data }: OnnxTensor): Message {
  return message([
    ...shape.map((size) => integer(1, size)),
    integer(2, data instanceof Float32Array ? FLOAT : INT64),
    text(8, name),
    nested(9, [Buffer.from(data.buffer, data.byteOffset, data.byteLength)]),
  ]);
}

function encodePort({ name, elementType, shape }: OnnxPort): Message {
  const dimensions = shape.map((size) => nested(1, typeof size === 'string' ? text(2, size) : integer(1, size)));
  const tensorType = message([integer(1, elementType), nested(2, message(dimensions))]);
  return message([text(1, name), nested(2, nested(1, tensorType))]);
}

function message(fields: readonly Message[]): Message {
  return fields.flat();
}

function integer(field: number, value: number): Message {
  return [varint((field << 3) | WIRE_VARINT), varint(value)];
}

/** A field whose value is bytes or a message of its own, which have the same form on the wire. */
function nested(field: number, value: Message): Message {
  const length = value.reduce((total, piece) => total + piece.length, 0);
  return [varint((field << 3) | WIRE_BYTES), varint(length), ...value];
}

function text(field: number, value: string): Message {
  return nested(field, [Buffer.from(value)]);
}

/** Seven bits a byte, lowest first, the top bit set on all but the last. Every integer of our graphs is 0 or above. */
function varint(value: number): Buffer {
  const out: number[] = [];
  let rest = value;
  while (rest >= 0x80) {
    out.push((rest % 0x80) | 0x80);
    rest = Math.floor(rest / 0x80);
  }
  out.push(rest);
  return Buffer.from(out);
}
