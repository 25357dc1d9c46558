import { Link } from '@tanstack/react-router';
import { Pause, Play, X } from 'lucide-react';
import { useVirtualizer } from '@tanstack/react-virtual';
import { useRef } from 'react';
import { formatBytes } from '../ui/format.ts';
import { IconButton } from '../ui/icon-button.tsx';
import { ProgressBar } from '../ui/progress-bar.tsx';
import { cancelUpload, pauseUpload, resumeUpload, type UploadItem } from './uploads.ts';

const ROW_PX = 64;

const total = (items: readonly UploadItem[], of: (item: UploadItem) => number) =>
  items.reduce((sum, item) => sum + of(item), 0);

/** How far all of them are together. */
export function UploadSummary({ items }: { readonly items: readonly UploadItem[] }) {
  const count = (state: UploadItem['state']) => items.filter((item) => item.state === state).length;
  const bytes = total(items, (item) => item.bytes);
  const sent = total(items, (item) => item.sent);
  const rate = total(items, (item) => (item.state === 'sending' ? item.rate : 0));
  const left = rate > 0 ? `, ${Math.ceil((bytes - sent) / rate)} s left` : '';
  const note = `${formatBytes(sent)} of ${formatBytes(bytes)}${rate > 0 ? `, ${formatBytes(rate)}/s${left}` : ''}`;
  const failed = count('failed');
  return (
    <div className="upload-summary">
      <ProgressBar
        label={`${count('ready')} of ${items.length} ready${failed > 0 ? `, ${failed} failed` : ''}`}
        value={bytes === 0 ? 1 : sent / bytes}
        note={note}
      />
    </div>
  );
}

const WORDS: Readonly<Record<UploadItem['state'], string>> = {
  waiting: 'Waits',
  sending: 'Sending',
  paused: 'Paused',
  processing: 'Arrived, being prepared',
  ready: 'Ready',
  failed: 'Failed',
};

/** Each file with what can be done about it; only those in sight are drawn. */
export function UploadList({ items }: { readonly items: readonly UploadItem[] }) {
  const area = useRef<HTMLDivElement>(null);
  // Its functions are called in this component only.
  // oxlint-disable-next-line react/incompatible-library
  const rows = useVirtualizer({
    count: items.length,
    getScrollElement: () => area.current,
    estimateSize: () => ROW_PX,
    overscan: 8,
  });
  return (
    // Scrolled by keys too.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
    <div ref={area} className="upload-rows" tabIndex={0} role="group" aria-label="Files on their way">
      <ul style={{ height: rows.getTotalSize() }}>
        {rows.getVirtualItems().map(({ index, start }) => {
          const item = items[index];
          return item ? <Row key={item.id} item={item} topPx={start} /> : null;
        })}
      </ul>
    </div>
  );
}

function Row({ item, topPx }: { readonly item: UploadItem; readonly topPx: number }) {
  const { id, name, state, bytes, sent, rate, mediaId, problem, isDuplicate } = item;
  const said =
    problem ??
    (isDuplicate
      ? 'The library had it already'
      : state === 'sending' && rate > 0
        ? `${formatBytes(rate)}/s`
        : WORDS[state]);
  return (
    <li className="upload-row" style={{ transform: `translateY(${topPx}px)` }}>
      <div className="upload-row-main">
        <p className="upload-row-name">
          {mediaId === undefined ? (
            name
          ) : (
            <Link to="/asset/$assetId" params={{ assetId: String(mediaId) }} search={{}}>
              {name}
            </Link>
          )}
        </p>
        {state === 'sending' || state === 'paused' ? (
          <ProgressBar label={name} isLabelHidden value={bytes === 0 ? 1 : sent / bytes} />
        ) : null}
        <p className={problem === undefined ? 'upload-row-said quiet' : 'upload-row-said upload-row-problem'}>
          {said} · {formatBytes(bytes)}
        </p>
      </div>
      {(state === 'sending' || state === 'waiting') && (
        <IconButton icon={Pause} label={`Pause ${name}`} onPress={() => pauseUpload(id)} />
      )}
      {(state === 'paused' || state === 'failed') && mediaId === undefined && (
        <IconButton
          icon={Play}
          label={state === 'failed' ? `Try ${name} again` : `Go on with ${name}`}
          onPress={() => resumeUpload(id)}
        />
      )}
      {state !== 'processing' && <IconButton icon={X} label={`Remove ${name}`} onPress={() => cancelUpload(id)} />}
    </li>
  );
}
