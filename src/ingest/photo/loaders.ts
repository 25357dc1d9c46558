import sharp from 'sharp';

/**
 * Lets libvips open JPEG, PNG, WebP, TIFF, GIF and AVIF and nothing else: the others (SVG, PDF, ImageMagick, raw dumps) parse
 * formats that no photo needs. Applies to the whole process and may be repeated.
 */
export function allowPhotoLoadersOnly(): void {
  sharp.block({ operation: ['VipsForeignLoad'] });
  sharp.unblock({
    operation: [
      'VipsForeignLoadJpeg',
      'VipsForeignLoadPng',
      'VipsForeignLoadWebp',
      'VipsForeignLoadTiff',
      'VipsForeignLoadNsgif',
      'VipsForeignLoadHeif',
    ],
  });
}
