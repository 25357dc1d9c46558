export { type ClipIntake, type ClipMaker, type ClipTools, createClipMaker, type SourceSegment } from './clip-maker.ts';
export { CLIP_LIMITS, placeOfAction, segmentAround } from './clip-segments.ts';
