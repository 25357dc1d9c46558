import { Download, X } from 'lucide-react';
import { useState } from 'react';
import { type DownloadOptions, findMediaIds } from '../../api/download.ts';
import { type Media, useMedia } from '../../api/media.ts';
import { countSelected, type Selection } from '../../library/selection.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { formatBytes, plural } from '../../ui/format.ts';
import { ProgressBar } from '../../ui/progress-bar.tsx';
import { RadioGroup } from '../../ui/radio-group.tsx';
import { Select } from '../../ui/select.tsx';
import { QUALITY_WORDS } from '../content.ts';
import { type Downloads, useDownloads } from './use-downloads.ts';
import '../deliver.css';

/** More is work for a delivery: browsers ask, and keep each file in memory until it is saved. */
const MAX_DOWNLOADS = 100;

const METADATA = [
  { value: 'none', label: 'As stored', hint: 'Byte for byte.' },
  {
    value: 'embed',
    label: 'With the present texts and tags',
    hint: 'Written into a copy as IPTC, XMP and EXIF. Camera RAW is never altered.',
  },
  { value: 'sidecar', label: 'Only the texts and tags', hint: 'As an XMP file.' },
] as const;

/** Downloads what is selected through the browser. */
export function DownloadPanel({ selection, onClose }: { readonly selection: Selection; readonly onClose: () => void }) {
  const [chosen] = useState(selection);
  const count = countSelected(chosen);
  const [single] = chosen.kind === 'assets' && count === 1 ? chosen.ids : [];
  return single === undefined ? (
    <DownloadDialog selection={chosen} count={count} media={undefined} onClose={onClose} />
  ) : (
    <OneDownload selection={chosen} id={single} onClose={onClose} />
  );
}

function OneDownload({
  selection,
  id,
  onClose,
}: {
  readonly selection: Selection;
  readonly id: number;
  readonly onClose: () => void;
}) {
  const { data: media } = useMedia(id);
  return <DownloadDialog selection={selection} count={1} media={media} onClose={onClose} />;
}

/**
 * Where the browser can save the file by itself, without the page holding it. The service answers its file URLs at this origin
 * too, whichever host they name; `download` works for the page's own origin only.
 */
function plainUrl(media: Media | undefined, { quality, metadata }: DownloadOptions): string | undefined {
  const url = metadata === 'none' ? media?.qualities[quality]?.url : undefined;
  if (url === undefined) return undefined;
  const { pathname, search } = new URL(url, location.href);
  return pathname.startsWith('/file/') ? pathname + search : undefined;
}

function DownloadDialog({
  selection,
  count,
  media,
  onClose,
}: {
  readonly selection: Selection;
  readonly count: number;
  readonly media: Media | undefined;
  readonly onClose: () => void;
}) {
  const [options, setOptions] = useState<DownloadOptions>({ quality: 'photographer', metadata: 'none' });
  const { downloads, start, cancel } = useDownloads();
  const isTooMany = count > MAX_DOWNLOADS;
  const isRunning = downloads.state === 'running';
  const url = plainUrl(media, options);
  const find = async (signal: AbortSignal) =>
    selection.kind === 'everything' ? findMediaIds(selection.filter, MAX_DOWNLOADS, signal) : [...selection.ids];
  const qualities = (Object.keys(QUALITY_WORDS) as (keyof typeof QUALITY_WORDS)[]).map((value) => {
    const bytes = media?.qualities[value]?.bytes;
    return { value, label: `${QUALITY_WORDS[value]}${bytes === undefined ? '' : `, ${formatBytes(bytes)}`}` };
  });
  return (
    <Dialog
      title={media ? `Download ${media.name}` : `Download ${plural(count, 'asset')}`}
      isOpen
      onClose={onClose}
      footer={
        <>
          {isRunning && (
            <Button onPress={cancel}>
              <X aria-hidden /> Cancel
            </Button>
          )}
          {url === undefined ? (
            <Button
              tone="primary"
              isDisabled={isTooMany}
              isPending={isRunning}
              onPress={() => void start(find, options)}
            >
              <Download aria-hidden /> Download
            </Button>
          ) : (
            <a className="ui-button ui-button-primary" href={url} download={media?.name}>
              <Download aria-hidden /> Download
            </a>
          )}
        </>
      }
    >
      <div className="deliver-batch">
        <Select
          label="Quality"
          options={qualities}
          value={options.quality}
          isDisabled={isRunning}
          onChange={(quality) => setOptions({ ...options, quality })}
        />
        <RadioGroup
          label="Metadata"
          options={METADATA}
          value={options.metadata}
          onChange={(metadata) => setOptions({ ...options, metadata })}
        />
        {isTooMany ? (
          <p role="alert" className="deliver-note deliver-note-danger">
            At most {MAX_DOWNLOADS} assets are downloaded at a time. Select fewer, or deliver them to a destination.
          </p>
        ) : (
          count > 1 && (
            <p className="quiet">
              Each file is a download of its own, one after the other. The browser may ask whether this page may save
              several.
            </p>
          )
        )}
        {downloads.state !== 'idle' && <DownloadState downloads={downloads} />}
      </div>
    </Dialog>
  );
}

function DownloadState({ downloads }: { readonly downloads: Downloads }) {
  const { state, total, done, bytes, failed } = downloads;
  const ended = done + failed.length;
  const words = `${done} of ${plural(total, 'file')} downloaded${failed.length > 0 ? `, ${failed.length} failed` : ''}`;
  return (
    <div className="deliver-summary">
      <div role="status">
        <ProgressBar
          label={state === 'cancelled' ? `Cancelled: ${words}` : words}
          value={total === 0 ? (state === 'running' ? undefined : 1) : ended / total}
          note={formatBytes(bytes)}
        />
      </div>
      {failed.length > 0 && (
        <ul aria-label="Failed">
          {failed.map(({ id, why }) => (
            <li key={id} className="deliver-path deliver-text-danger">
              {why}
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}
