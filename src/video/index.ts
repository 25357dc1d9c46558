export { createFfmpeg, type Ffmpeg, type FfmpegOptions } from './ffmpeg.ts';
export type {
  AudioTrack,
  FrameRate,
  ProxyProgress,
  VideoColor,
  VideoProbe,
  VideoProxy,
  VideoStill,
} from './types.ts';
