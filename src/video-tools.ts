import { join } from 'node:path';
import type { VideoTools } from './ingest/index.ts';
import type { Ffmpeg } from './video/index.ts';

/** Satisfies what ingest asks of videos with the video module. */
export function createVideoTools(ffmpeg: Ffmpeg): VideoTools {
  return {
    async process({ path, workDir, signal }) {
      const probe = await ffmpeg.probeVideo({ path, signal });
      const posterPath = join(workDir, 'poster.jpg');
      const proxyPath = join(workDir, 'proxy.mp4');
      const poster = await ffmpeg.makePoster({ path, probe, outPath: posterPath, signal });
      const proxy = await ffmpeg.makeProxy({ path, probe, outPath: proxyPath, signal });
      return {
        width: probe.width,
        height: probe.height,
        durationMs: probe.durationMs,
        frameRate: probe.frameRate,
        facts: {
          codec: probe.videoCodec,
          audio_codec: probe.audioCodec ?? null,
          has_audio: probe.hasAudio,
          container: probe.containerFormat,
          rotation: probe.rotation,
          bit_rate: probe.bitRate ?? null,
          start_timecode: probe.startTimecode ?? null,
          variable_frame_rate: probe.hasVariableFrameRate,
          interlaced: probe.isInterlaced,
          hdr: probe.color.isHdr,
        },
        createdAt: probe.createdAt,
        warnings: proxy.truncated
          ? ['The video ends before the duration that it states; what could be read is kept.']
          : [],
        poster: { path: posterPath, ...poster },
        proxy: { path: proxyPath, width: proxy.width, height: proxy.height, bytes: proxy.bytes },
      };
    },
  };
}
