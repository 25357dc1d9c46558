import type { Destination } from '../api/destinations.ts';

/** Which of its files go out of an asset. */
export type Quality = Destination['qualities'][number];

export const QUALITY_WORDS: Readonly<Record<Quality, string>> = {
  photographer: 'Original',
  compressed: 'Compressed',
  thumbnail: 'Thumbnail',
};
/** The best first. */
export const QUALITIES: readonly Quality[] = ['photographer', 'compressed', 'thumbnail'];
export const QUALITY_OPTIONS = QUALITIES.map((value) => ({ value, label: QUALITY_WORDS[value] }));

/** The parameters of a picture that is made in place of a file, until somebody writes others. */
export const DEFAULT_PICTURE = 'w=1080&h=1080&f=face&fmt=jpeg';
