/** Containers that are opened. A playlist or a script of another demuxer could name files and addresses of this machine. */
const FORMATS = 'mov,mp4,m4a,3gp,3g2,mj2,mxf,matroska,webm,mpegts,avi';

/**
 * The input of every call. `file:` keeps a name with a colon from being read as a protocol; both white lists hold for
 * whatever the demuxer opens in turn.
 */
export function inputArguments(path: string): string[] {
  return ['-protocol_whitelist', 'file', '-format_whitelist', FORMATS, '-i', `file:${path}`];
}

/** What every ffmpeg call begins with: no reading from a terminal, only errors on the error stream, overwrite the output. */
export const FFMPEG_ARGUMENTS = ['-nostdin', '-hide_banner', '-v', 'error', '-y'] as const;

/** What every ffprobe call begins with. */
export const FFPROBE_ARGUMENTS = ['-hide_banner', '-v', 'error', '-of', 'json'] as const;
