import { type MouseEvent, useRef } from 'react';
import type { Media } from '../api/media.ts';

/** Fractions of the upright picture, from the top left. */
export type Point = { readonly x: number; readonly y: number };

const percent = (share: number) => `${share * 100}%`;
const rounded = (share: number) => Math.round(Math.min(1, Math.max(0, share)) * 10_000) / 10_000;

/** The picture, as large as there is room, with what lies on it: faces, and the focal point. */
export function PhotoStage({
  media,
  showsFaces,
  shownFace,
  onFace,
  onFocal,
}: {
  readonly media: Media;
  readonly showsFaces: boolean;
  readonly shownFace: number | undefined;
  readonly onFace: (n: number) => void;
  /** A click sets the focal point; without it, clicks do nothing. */
  readonly onFocal?: (point: Point) => void;
}) {
  const frame = useRef<HTMLDivElement>(null);
  const { compressed, thumbnail } = media.qualities;
  const width = media.width ?? 3;
  const height = media.height ?? 2;
  const place = (event: MouseEvent): void => {
    const box = frame.current?.getBoundingClientRect();
    if (!onFocal || !box) return;
    onFocal({ x: rounded((event.clientX - box.left) / box.width), y: rounded((event.clientY - box.top) / box.height) });
  };
  return (
    <section className="photo-stage" aria-label="Photo">
      <div
        ref={frame}
        className="photo-frame"
        style={{
          aspectRatio: `${width} / ${height}`,
          // As wide as fits both ways: the height decides for upright pictures.
          maxWidth: `calc((100cqh - 2 * var(--space-4)) * ${width / height})`,
          ...(thumbnail && { backgroundImage: `url("${thumbnail.url}")` }),
        }}
      >
        <img src={compressed?.url ?? thumbnail?.url} alt={media.name} />
        {onFocal && (
          <button
            type="button"
            className="photo-focal-layer"
            aria-label="Set the focal point: click the picture, or use the fields beside it"
            onClick={place}
          />
        )}
        {onFocal && media.focal && (
          <span className="photo-focal" style={{ left: percent(media.focal.x), top: percent(media.focal.y) }} />
        )}
        {showsFaces &&
          media.faces.map((face, n) => (
            <button
              // Faces have no other name than their place.
              // oxlint-disable-next-line react/no-array-index-key
              key={n}
              type="button"
              className="photo-face"
              aria-pressed={n === shownFace}
              aria-label={`Face ${n + 1}${nameOf(media, face.tag_option_id)}`}
              style={{ left: percent(face.x), top: percent(face.y), width: percent(face.w), height: percent(face.h) }}
              onClick={() => onFace(n)}
            />
          ))}
      </div>
    </section>
  );
}

function nameOf(media: Media, id: number | undefined): string {
  const tag = media.tag_options.find((one) => one.id === id);
  return tag ? `, ${tag.label}` : '';
}
