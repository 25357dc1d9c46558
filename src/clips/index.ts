export { type ClipIntake, type ClipMaker, type ClipTools, createClipMaker, type SourceSegment } from './clip-maker.ts';
export { checkReelLength, checkSegment, CLIP_LIMITS, placeOfAction, segmentAround } from './clip-segments.ts';
