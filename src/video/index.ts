export { createFfmpeg, type Ffmpeg, type FfmpegOptions } from './ffmpeg.ts';
export type {
  AudioTrack,
  FrameRate,
  PictureWindow,
  ProxyProgress,
  VideoClip,
  VideoColor,
  VideoProbe,
  VideoProxy,
  VideoReel,
  VideoStill,
} from './types.ts';
