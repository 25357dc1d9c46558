import sharp from 'sharp';

import { AppError, invalidField, MIB, messageOf } from '../../base/index.ts';
import type { Size } from '../focus-geometry.ts';

/** Largest file of a watermark. */
export const MAX_WATERMARK_BYTES = 2 * MIB;
/** 4096 x 4096 x 4 bytes = 64 MB to decode, and twice as wide as most answers. */
const MAX_WATERMARK_PX = 4096 * 4096;

const MIME_TYPES: Readonly<Record<string, string>> = { png: 'image/png', webp: 'image/webp' };

export type WatermarkFile = Size & { readonly mimeType: string };

/**
 * Decodes a watermark once, whole, so that no image fails by it later. Answers what it is; sizes in pixels.
 * @throws AppError `file_empty`, `payload_too_large`, `unsupported_media_type`, `file_limits_exceeded`, `file_damaged`,
 *   `validation_failed` without transparency
 */
export async function readWatermarkFile(bytes: Buffer): Promise<WatermarkFile> {
  if (bytes.length === 0) throw new AppError('file_empty', 'expected a watermark of PNG or WebP, received no bytes');
  if (bytes.length > MAX_WATERMARK_BYTES) {
    throw new AppError('payload_too_large', `expected a watermark of at most ${MAX_WATERMARK_BYTES} bytes`);
  }
  const facts = await sharp(bytes)
    .metadata()
    .catch(() => undefined);
  const mimeType = MIME_TYPES[facts?.format ?? ''];
  if (!facts || mimeType === undefined) {
    throw new AppError('unsupported_media_type', 'expected PNG or WebP for a watermark, received another format');
  }
  if (facts.width * facts.height > MAX_WATERMARK_PX) {
    const limit = `${MAX_WATERMARK_PX.toLocaleString('en')} pixels`;
    throw new AppError('file_limits_exceeded', `expected at most ${limit}, received ${facts.width}x${facts.height}`);
  }
  if (!facts.hasAlpha) {
    throw invalidField('/file', 'expected a picture with transparency, received one that would cover what is below');
  }
  try {
    await sharp(bytes, { failOn: 'warning' }).timeout({ seconds: 10 }).stats();
  } catch (cause) {
    throw new AppError('file_damaged', `The watermark cannot be decoded: ${messageOf(cause)}`, { cause });
  }
  return { width: facts.width, height: facts.height, mimeType };
}
