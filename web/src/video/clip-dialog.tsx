import { Download } from 'lucide-react';
import { useState } from 'react';
import { type ClipAspect, type ClipSource, useClip, useCreateClip, useEndClip } from '../api/clips.ts';
import { ProblemNote } from '../app/problem-view.tsx';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { formatBytes } from '../ui/format.ts';
import { ProgressBar } from '../ui/progress-bar.tsx';
import { Select } from '../ui/select.tsx';
import { formatClock } from './frame-clock.ts';

const ASPECTS = [
  { value: 'original', label: 'As it is' },
  { value: '16:9', label: '16:9, landscape' },
  { value: '1:1', label: '1:1, square' },
  { value: '9:16', label: '9:16, story' },
] as const;
const HEIGHTS = [
  { value: '', label: 'Full' },
  { value: '1080', label: '1080 px' },
  { value: '720', label: '720 px' },
  { value: '480', label: '480 px' },
] as const;
const MARGINS = [
  { value: '', label: 'As its type has it' },
  { value: '0', label: 'Nothing' },
  { value: '3000', label: '3 s' },
  { value: '5000', label: '5 s' },
  { value: '10000', label: '10 s' },
  { value: '15000', label: '15 s' },
] as const;
const OUTPUTS = [
  { value: 'download', label: 'A file to download, kept for 7 days' },
  { value: 'asset', label: 'A video of the library' },
] as const;

/** Cuts a clip, shows how far it is, and gives the file. */
export function ClipDialog({
  source,
  title,
  onClose,
}: {
  readonly source: ClipSource;
  readonly title: string;
  readonly onClose: () => void;
}) {
  const [aspect, setAspect] = useState<ClipAspect>('original');
  const [height, setHeight] = useState<(typeof HEIGHTS)[number]['value']>('');
  const [lead, setLead] = useState<(typeof MARGINS)[number]['value']>('');
  const [lag, setLag] = useState<(typeof MARGINS)[number]['value']>('');
  const [output, setOutput] = useState<'download' | 'asset'>('download');
  const create = useCreateClip();
  const end = useEndClip();
  const { data: polled } = useClip(create.data?.id);
  const clip = polled ?? create.data;
  const isRunning = clip?.state === 'queued' || clip?.state === 'running';
  const start = () =>
    create.mutate({
      source,
      options: {
        aspect,
        output,
        ...(height !== '' && { height: Number(height) }),
        ...(lead !== '' && { lead_ms: Number(lead) }),
        ...(lag !== '' && { lag_ms: Number(lag) }),
      },
    });
  return (
    <Dialog
      title={title}
      isOpen
      onClose={onClose}
      footer={
        <>
          {isRunning && (
            <Button onPress={() => end.mutate(clip.id)} isPending={end.isPending}>
              Cancel the clip
            </Button>
          )}
          {clip === undefined && (
            <Button tone="primary" onPress={start} isPending={create.isPending}>
              Cut
            </Button>
          )}
          {clip?.state === 'ready' && clip.url !== null && (
            <a className="ui-button ui-button-primary" href={clip.url} download={clip.name}>
              <Download aria-hidden /> Download
            </a>
          )}
        </>
      }
    >
      {clip === undefined ? (
        <div className="video-form">
          <div className="video-form-pair">
            <Select label="Shape" options={ASPECTS} value={aspect} onChange={setAspect} />
            <Select label="Height" options={HEIGHTS} value={height} onChange={setHeight} />
          </div>
          {source.kind !== 'part' && (
            <div className="video-form-pair">
              <Select label="Shown before" options={MARGINS} value={lead} onChange={setLead} />
              <Select label="Shown after" options={MARGINS} value={lag} onChange={setLag} />
            </div>
          )}
          <Select label="Becomes" options={OUTPUTS} value={output} onChange={setOutput} />
          <ProblemNote error={create.error} />
        </div>
      ) : (
        <ClipState clip={clip} error={end.error} />
      )}
    </Dialog>
  );
}

function ClipState({
  clip,
  error,
}: {
  readonly clip: NonNullable<ReturnType<typeof useClip>['data']>;
  readonly error: unknown;
}) {
  if (clip.state === 'failed') {
    return <p role="alert">The clip could not be cut: {clip.failure?.reason ?? 'the reason is not known.'}</p>;
  }
  if (clip.state === 'cancelled') return <p role="status">The clip was cancelled.</p>;
  if (clip.state !== 'ready') {
    const note = clip.state === 'queued' ? 'It waits for its turn' : `${Math.round(clip.progress * 100)} %`;
    return (
      <div className="video-form">
        <ProgressBar label="Cutting the clip" value={clip.progress} note={note} />
        <ProblemNote error={error} />
      </div>
    );
  }
  const { file } = clip;
  return (
    <div className="video-form">
      <p role="status">
        {clip.output === 'asset' ? 'The clip is a video of the library now.' : 'The clip is ready.'}
        {file && ` ${formatClock(file.duration_ms)}, ${file.width} × ${file.height}, ${formatBytes(file.bytes)}.`}
      </p>
      {clip.url !== null && (
        <video
          className="video-clip"
          src={clip.url}
          {...(clip.poster_url === null ? {} : { poster: clip.poster_url })}
          controls
          playsInline
          aria-label={clip.name}
        />
      )}
    </div>
  );
}
