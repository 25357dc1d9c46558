/** Where a face is: top-left corner and size as fractions (0..1) of the oriented image. */
export type FaceBox = { readonly x: number; readonly y: number; readonly w: number; readonly h: number };

/** A face, and the detector's certainty (0..1). */
export type Face = FaceBox & { readonly score: number };

/** Variances of the box coding of SSD (Liu et al. 2016): centres are coded in tenths of the anchor, sizes in fifths of a log. */
const CENTRE_SCALE = 10;
const SIZE_SCALE = 5;
const CLASSES = 3;
const FACE_CLASS = 1;

/** Raw network outputs to boxes of at least `minScore`, as fractions of `contentWidth` x `contentHeight` (the unpadded image). */
export function decodeFaces(options: {
  readonly boxes: Float32Array;
  readonly classes: Float32Array;
  readonly anchors: Float32Array;
  readonly contentWidth: number;
  readonly contentHeight: number;
  readonly minScore: number;
}): Face[] {
  const { boxes, classes, anchors, contentWidth, contentHeight } = options;
  if (boxes.length !== anchors.length) {
    throw new Error(`expected ${anchors.length / 4} boxes from the face model, received ${boxes.length / 4}`);
  }
  // sigmoid(logit) >= minScore without an exponential for each of some 15,000 anchors
  const minLogit = -Math.log(1 / options.minScore - 1);
  const faces: Face[] = [];
  for (let index = 0; index * 4 < anchors.length; index += 1) {
    const logit = classes[index * CLASSES + FACE_CLASS] ?? Number.NEGATIVE_INFINITY;
    if (logit < minLogit) continue;
    const [centreY = 0, centreX = 0, anchorH = 0, anchorW = 0] = anchors.subarray(index * 4, index * 4 + 4);
    const [dy = 0, dx = 0, dh = 0, dw = 0] = boxes.subarray(index * 4, index * 4 + 4);
    const height = Math.exp(dh / SIZE_SCALE) * anchorH;
    const width = Math.exp(dw / SIZE_SCALE) * anchorW;
    const left = (dx / CENTRE_SCALE) * anchorW + centreX - width / 2;
    const top = (dy / CENTRE_SCALE) * anchorH + centreY - height / 2;
    const face = clipToImage({
      x: left / contentWidth,
      y: top / contentHeight,
      w: width / contentWidth,
      h: height / contentHeight,
      score: 1 / (1 + Math.exp(-logit)),
    });
    if (face) faces.push(face);
  }
  return faces;
}

/** The part inside the image; undefined if that is less than half, which is a guess from the padding. */
function clipToImage(face: Face): Face | undefined {
  const x = Math.max(0, face.x);
  const y = Math.max(0, face.y);
  const w = Math.min(1, face.x + face.w) - x;
  const h = Math.min(1, face.y + face.h) - y;
  // Also refuses NaN.
  if (!(w > 0 && h > 0 && w * h >= 0.5 * face.w * face.h)) return undefined;
  return { x, y, w, h, score: face.score };
}

/** Non-maximum suppression: of boxes that overlap by more than `maxOverlap` (intersection over union) the most certain stays. */
export function suppressOverlaps(faces: readonly Face[], maxOverlap: number): Face[] {
  const kept: Face[] = [];
  for (const face of [...faces].sort((a, b) => b.score - a.score)) {
    if (kept.every((other) => overlap(face, other) <= maxOverlap)) kept.push(face);
  }
  return kept;
}

/** Intersection over union of two boxes, 0..1. */
export function overlap(a: Omit<Face, 'score'>, b: Omit<Face, 'score'>): number {
  const w = Math.min(a.x + a.w, b.x + b.w) - Math.max(a.x, b.x);
  const h = Math.min(a.y + a.h, b.y + b.h) - Math.max(a.y, b.y);
  if (w <= 0 || h <= 0) return 0;
  return (w * h) / (a.w * a.h + b.w * b.h - w * h);
}

/** Most prominent first: the side of the box times the certainty; rounded to four decimals. */
export function rankFaces(faces: readonly Face[], limit: number): Face[] {
  const prominence = (face: Face) => Math.sqrt(face.w * face.h) * face.score;
  const round = (value: number) => Math.round(value * 1e4) / 1e4;
  return [...faces]
    .sort((a, b) => prominence(b) - prominence(a))
    .slice(0, limit)
    .map(({ x, y, w, h, score }) => ({ x: round(x), y: round(y), w: round(w), h: round(h), score: round(score) }));
}
