import type { FrameRate, VideoColor, VideoProbe } from './types.ts';

export type PictureSize = { readonly width: number; readonly height: number };

type FilterOptions = {
  readonly probe: VideoProbe;
  readonly size: PictureSize;
  /** Whether this ffmpeg has zscale and tonemap; without them HDR looks pale but plays. */
  readonly canToneMap: boolean;
};

/**
 * Filters of a proxy: progressive, constant rate, 8 bit BT.709. Rotation needs none, ffmpeg turns the picture before the
 * first filter.
 */
export function proxyFilters(options: FilterOptions & { readonly rate: FrameRate }): string {
  return [
    ...deinterlace(options.probe),
    // Before scaling, so that dropped frames cost nothing.
    `fps=${options.rate.num}/${options.rate.den}`,
    ...scaleToBt709(options),
    'format=yuv420p',
    'setsar=1',
  ].join(',');
}

/** Filters of a JPEG: JFIF is BT.601 in full range. `skipMs` is cut off first; `choose` sees the finished pictures. */
export function stillFilters(
  options: FilterOptions & { readonly skipMs: number; readonly choose?: readonly string[] },
): string {
  return [
    ...(options.skipMs > 0 ? [`trim=start=${(options.skipMs / 1000).toFixed(6)}`] : []),
    ...deinterlace(options.probe),
    ...scaleToBt709(options),
    'scale=in_color_matrix=bt709:in_range=tv:out_color_matrix=bt601:out_range=pc',
    'format=yuvj420p',
    'setsar=1',
    ...(options.choose ?? []),
  ].join(',');
}

/** The size of a proxy: short side at most `shortPx`, long side at most `longPx`, never enlarged, even as 4:2:0 demands. */
export function proxySize(
  probe: PictureSize,
  limits: { readonly shortPx: number; readonly longPx: number },
): PictureSize {
  const short = Math.min(probe.width, probe.height);
  const long = Math.max(probe.width, probe.height);
  const factor = Math.min(1, limits.shortPx / short, limits.longPx / long);
  const even = (sidePx: number) => Math.max(2, 2 * Math.floor(Math.round(sidePx * factor) / 2));
  return { width: even(probe.width), height: even(probe.height) };
}

/** The size of a still: long side at most `maxLongSidePx`, never enlarged. */
export function stillSize(probe: PictureSize, maxLongSidePx: number): PictureSize {
  const factor = Math.min(1, maxLongSidePx / Math.max(probe.width, probe.height));
  const side = (sidePx: number) => Math.max(1, Math.round(sidePx * factor));
  return { width: side(probe.width), height: side(probe.height) };
}

/** A frame for each frame: the two fields of one become one picture. */
export function deinterlace(probe: VideoProbe): string[] {
  return probe.isInterlaced ? ['bwdif=mode=send_frame:parity=auto:deint=all'] : [];
}

/** Filters that bring a picture to `size` in 8 bit BT.709. */
export function scaleToBt709(options: FilterOptions): string[] {
  const { color } = options.probe;
  const scale = `scale=${options.size.width}:${options.size.height}:flags=bicubic`;
  const isWide = color.isHdr || color.primaries === 'bt2020';
  if (isWide && options.canToneMap) {
    // Scaled first: the tone map works in 32 bit float and would cost nine times as much on a 4K picture.
    return [scale, ...toneMap(color)];
  }
  return [`${scale}:in_color_matrix=${sourceMatrix(options.probe)}:out_color_matrix=bt709:out_range=tv`];
}

function toneMap(color: VideoColor): string[] {
  const range = color.range === 'pc' ? 'full' : 'limited';
  const input = `matrixin=2020_ncl:primariesin=2020:rangein=${range}`;
  const output = 'matrix=709:primaries=709:transfer=709:range=limited:dither=error_diffusion';
  if (!color.isHdr) return [`zscale=${input}:transferin=2020_10:${output}`];
  return [
    // Linear light in units of 203 cd/m2, the reference white of HDR (ITU-R BT.2408).
    `zscale=${input}:transferin=${color.transfer ?? 'smpte2084'}:transfer=linear:npl=203`,
    'format=gbrpf32le',
    'zscale=primaries=709',
    // Skin and grass stay as they are (below 0.3), highlights up to 1000 cd/m2 (4.9 times white) are bent into the rest.
    'tonemap=tonemap=mobius:param=0.3:peak=4.9:desat=0',
    `zscale=primariesin=709:transferin=linear:${output}`,
  ];
}

/** Untagged files follow the custom that BT.709 begins at 720 lines; swscale would take BT.601 for all of them. */
function sourceMatrix(probe: VideoProbe): string {
  const known: Readonly<Record<string, string>> = {
    bt709: 'bt709',
    smpte170m: 'bt601',
    bt470bg: 'bt601',
    fcc: 'fcc',
    smpte240m: 'smpte240m',
    bt2020nc: 'bt2020',
  };
  return known[probe.color.space ?? ''] ?? (Math.min(probe.width, probe.height) >= 720 ? 'bt709' : 'bt601');
}
