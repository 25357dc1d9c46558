import { Check, X } from 'lucide-react';
import { type Media, useMediaWrites } from '../api/media.ts';
import { showProblem } from '../app/problem-view.tsx';
import { TagField } from '../tags/tag-field.tsx';
import { Button } from '../ui/button.tsx';
import { IconButton } from '../ui/icon-button.tsx';
import { withParameters } from './image-url.ts';

/** Every face that was found: whose it is, and how to say so. */
export function FacesPanel({
  media,
  canWrite,
  shown,
  onShow,
}: {
  readonly media: Media;
  readonly canWrite: boolean;
  readonly shown: number | undefined;
  readonly onShow: (n: number) => void;
}) {
  const { linkFace } = useMediaWrites(media.id);
  const link = (n: number, playerId: number | null) =>
    linkFace.mutate({ n, playerId }, { onError: (fault) => showProblem(fault, 'The face was not linked') });
  const labelOf = (id: number | undefined) =>
    media.tag_options.find((one) => one.id === id)?.label ?? (id === undefined ? undefined : `Player ${id}`);
  if (media.faces.length === 0) return <p className="photo-panel quiet">No face was found in this photo.</p>;
  return (
    <ul className="photo-panel photo-faces">
      {media.faces.map((face, n) => {
        const name = labelOf(face.tag_option_id);
        const { suggestion } = face;
        return (
          // Faces have no other name than their place.
          // oxlint-disable-next-line react/no-array-index-key
          <li key={n} data-shown={n === shown || undefined}>
            <button
              type="button"
              className="photo-face-small"
              onClick={() => onShow(n)}
              aria-label={`Show face ${n + 1}`}
            >
              {media.images && (
                <img
                  src={withParameters(media.images.url, {
                    rect: rectOf(face),
                    w: '96',
                    h: '96',
                    fit: 'cover',
                    f: 'center',
                  })}
                  alt=""
                  width={48}
                  height={48}
                />
              )}
            </button>
            <div className="photo-face-who">
              {name !== undefined && (
                <p>
                  <b>{name}</b>
                  {canWrite && <IconButton icon={X} size="s" label={`Not ${name}`} onPress={() => link(n, null)} />}
                </p>
              )}
              {name === undefined && suggestion && canWrite && (
                <Button size="s" onPress={() => link(n, suggestion.tag_option_id)}>
                  <Check aria-hidden /> {labelOf(suggestion.tag_option_id)}
                </Button>
              )}
              {name === undefined &&
                (canWrite ? (
                  <TagField
                    label={`Whose is face ${n + 1}?`}
                    isLabelHidden
                    type="player"
                    placeholder="Who is it?"
                    onChoose={({ id }) => link(n, id)}
                  />
                ) : (
                  <p className="quiet">Not linked to a player.</p>
                ))}
            </div>
          </li>
        );
      })}
    </ul>
  );
}

type Box = { readonly x: number; readonly y: number; readonly w: number; readonly h: number };

/** The face with some room around it, as fractions with a decimal point. */
function rectOf({ x, y, w, h }: Box): string {
  const left = Math.max(0, x - w * 0.3);
  const top = Math.max(0, y - h * 0.3);
  const width = Math.min(1 - left, w * 1.6);
  const height = Math.min(1 - top, h * 1.6);
  return [left, top, width, height].map((share) => share.toFixed(4)).join(',');
}
