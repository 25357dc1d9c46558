import { AppError, messageOf } from '../../base/index.ts';

/** 150 MP: the largest medium format sensors; at 4 bytes a pixel 600 MB, which is as much as one photo may cost. */
export const MAX_PHOTO_PIXELS = 150_000_000;

export function photoDamaged(cause?: unknown): AppError {
  return new AppError(
    'file_damaged',
    'The photo cannot be read: the file is damaged or was cut off. Copy it from the card again, or export it anew.',
    { cause },
  );
}

export function photoTooLarge(size?: { readonly width: number; readonly height: number }): AppError {
  const received = size ? `, received ${size.width} x ${size.height}` : '';
  return new AppError('file_limits_exceeded', `expected a photo of at most 150 megapixels${received}`);
}

export function photoTooSlow(cause?: unknown): AppError {
  return new AppError('file_limits_exceeded', 'The photo took too long to decode. Export it as JPEG and upload that.', {
    cause,
  });
}

export function photoUnsupported(format: string, cause?: unknown): AppError {
  return new AppError(
    'unsupported_media_type',
    `This kind of ${format} file cannot be shown here. Export the photo as JPEG, PNG, WebP, TIFF or AVIF.`,
    { cause },
  );
}

/** What libvips says, as an error of ours: its wording is the only thing that tells the cases apart. */
export function fromSharpError(error: unknown): AppError {
  if (error instanceof AppError) return error;
  const message = messageOf(error);
  if (/exceeds pixel limit|too large|image dimensions? .*exceed/i.test(message)) return photoTooLarge();
  if (/^timeout:/i.test(message)) return photoTooSlow(error);
  return photoDamaged(error);
}
