import { ExternalLink, X } from 'lucide-react';
import { Dialog, Modal, ModalOverlay } from 'react-aria-components';
import type { KeyboardEvent } from 'react';
import type { MediaHit } from '../api/media-search.ts';
import { Button } from '../ui/button.tsx';
import { formatCount } from '../ui/format.ts';
import { IconButton } from '../ui/icon-button.tsx';
import './quick-look.css';

const STEPS: Readonly<Record<string, number>> = { ArrowLeft: -1, ArrowUp: -1, ArrowRight: 1, ArrowDown: 1 };

/** One result, large, over the grid: Space opens and closes it, the arrows go on. */
export function QuickLook({
  media,
  index,
  total,
  onMove,
  onOpen,
  onClose,
}: {
  readonly media: MediaHit | undefined;
  readonly index: number;
  readonly total: number;
  readonly onMove: (index: number) => void;
  readonly onOpen: () => void;
  readonly onClose: () => void;
}) {
  const onKeyDown = (event: KeyboardEvent) => {
    const step = STEPS[event.key];
    const isOnButton = event.target instanceof HTMLButtonElement;
    if (step !== undefined) onMove(Math.min(total - 1, Math.max(0, index + step)));
    else if (event.key === ' ' && !isOnButton) onClose();
    else if (event.key === 'Enter' && !isOnButton) onOpen();
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <ModalOverlay className="quick-look-scrim" isOpen isDismissable onOpenChange={(open) => !open && onClose()}>
      <Modal className="quick-look">
        {/* Keys of the dialog, which has the focus itself, and of everything in it. */}
        {/* oxlint-disable-next-line jsx-a11y/no-static-element-interactions */}
        <div className="quick-look-keys" onKeyDownCapture={onKeyDown}>
          <Dialog className="quick-look-dialog" aria-label={media?.name ?? 'Preview'}>
            {media && <Picture key={media.id} media={media} />}
            <footer className="quick-look-foot">
              <span className="quick-look-name">{media?.name}</span>
              <span>
                {formatCount(index + 1)} of {formatCount(total)}
              </span>
              <Button tone="quiet" size="s" onPress={onOpen}>
                <ExternalLink aria-hidden /> Open
              </Button>
              <IconButton icon={X} size="s" label="Close" keys="space" onPress={onClose} />
            </footer>
          </Dialog>
        </div>
      </Modal>
    </ModalOverlay>
  );
}

function Picture({ media }: { readonly media: MediaHit }) {
  const { compressed, thumbnail } = media.qualities;
  const width = media.width ?? thumbnail?.width ?? 3;
  const height = media.height ?? thumbnail?.height ?? 2;
  const box = { aspectRatio: `${width} / ${height}`, ...(thumbnail && { backgroundImage: `url("${thumbnail.url}")` }) };
  if (media.media_type === 'video' && compressed) {
    return (
      // What is said in a video is not known to the library, so it has no captions.
      // oxlint-disable-next-line jsx-a11y/media-has-caption
      <video
        className="quick-look-picture"
        style={box}
        src={compressed.url}
        poster={thumbnail?.url}
        controls
        autoPlay
        muted
      />
    );
  }
  return <img className="quick-look-picture" style={box} src={compressed?.url ?? thumbnail?.url} alt={media.name} />;
}
