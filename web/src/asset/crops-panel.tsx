import type { Media } from '../api/media.ts';
import { Button } from '../ui/button.tsx';
import { UrlBuilder } from './url-builder.tsx';

const CROPS = [
  ['square', 'Square', '1 / 1'],
  ['portrait', 'Portrait', '4 / 5'],
  ['landscape', 'Landscape', '16 / 9'],
  ['story', 'Story', '9 / 16'],
] as const;

/** The ready-made crops beside each other, and any other picture by URL. */
export function CropsPanel({ media, onFocalGone }: { readonly media: Media; readonly onFocalGone?: () => void }) {
  const { images, focal } = media;
  if (!images) return <p className="photo-panel quiet">There are no pictures of it yet.</p>;
  return (
    <div className="photo-panel">
      <section>
        <h3>Ready-made</h3>
        <div className="photo-crops">
          {CROPS.map(([name, label, aspectRatio]) => (
            <figure key={name}>
              <a href={images[name]} target="_blank" rel="noreferrer">
                <img
                  src={images[name]}
                  alt={`${media.name}, ${label.toLowerCase()}`}
                  style={{ aspectRatio }}
                  loading="lazy"
                />
              </a>
              <figcaption>{label}</figcaption>
            </figure>
          ))}
        </div>
        {onFocalGone && (
          <p className="quiet">
            {focal ? (
              <>
                Crops keep the point that was set.{' '}
                <Button size="s" tone="quiet" onPress={onFocalGone}>
                  Let faces decide again
                </Button>
              </>
            ) : (
              'Click the picture to set the point that crops keep. Until then faces decide.'
            )}
          </p>
        )}
      </section>
      <UrlBuilder media={media} url={images.url} />
    </div>
  );
}
