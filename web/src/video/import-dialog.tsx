import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { FileTrigger } from 'react-aria-components';
import { api, dataOf } from '../api/client.ts';
import { ProblemNote } from '../app/problem-view.tsx';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { Select } from '../ui/select.tsx';
import { showToast } from '../ui/toast.tsx';

type Mode = 'strict' | 'lenient';
type Request = { readonly file: File; readonly mode: Mode; readonly preview: boolean };

const MODES = [
  { value: 'strict', label: 'Strict: refuse the file when a name is unknown' },
  { value: 'lenient', label: 'Lenient: take what can be taken, make tag options of unknown names' },
] as const;

function useImport(mediaId: number) {
  return useMutation({
    mutationFn: async ({ file, mode, preview }: Request) =>
      dataOf(
        await api.POST('/v1/media/{id}/action/import', {
          params: { path: { id: mediaId }, query: { mode, preview: preview ? 'true' : 'false' } },
          headers: { 'Content-Type': 'application/octet-stream' },
          // The document cannot say that any file is the body.
          ...({ body: file, bodySerializer: (body: unknown) => body } as object),
        }),
      ),
  });
}

/** Reads a file of events: first what it would do, then, when wanted, does it. */
export function ImportDialog({
  mediaId,
  onDone,
  onClose,
}: {
  readonly mediaId: number;
  readonly onDone: () => void;
  readonly onClose: () => void;
}) {
  const [file, setFile] = useState<File>();
  const [mode, setMode] = useState<Mode>('strict');
  const preview = useImport(mediaId);
  const run = useImport(mediaId);
  const look = (next: { readonly file?: File | undefined; readonly mode?: Mode }) => {
    const wanted = { file: next.file ?? file, mode: next.mode ?? mode };
    setFile(wanted.file);
    setMode(wanted.mode);
    if (wanted.file) preview.mutate({ file: wanted.file, mode: wanted.mode, preview: true });
  };
  const takeIn = () => {
    if (!file) return;
    run.mutate(
      { file, mode, preview: false },
      {
        onSuccess: ({ counts }) => {
          showToast({ tone: 'ok', text: `${counts.created} actions are new, ${counts.updated} were changed.` });
          onDone();
          onClose();
        },
      },
    );
  };
  const report = preview.data;
  const canRun = report !== undefined && !preview.isPending && report.counts.failed < report.counts.events;
  return (
    <Dialog
      title="Import a file of events"
      isOpen
      onClose={onClose}
      width="l"
      footer={
        <Button tone="primary" isDisabled={!canRun} isPending={run.isPending} onPress={takeIn}>
          {run.isPending ? 'Importing…' : 'Import'}
        </Button>
      }
    >
      <div className="video-form">
        <p className="quiet">
          Sportscode XML, Opta F24, StatsBomb, CSV, JSON Lines, WebVTT or EDL; it is recognised by its content.
        </p>
        <div>
          <FileTrigger onSelect={(files) => look({ file: files?.[0] })}>
            <Button>{file ? 'Choose another file' : 'Choose a file'}</Button>
          </FileTrigger>{' '}
          {file?.name}
        </div>
        <Select
          label="When something is not known"
          options={MODES}
          value={mode}
          onChange={(next) => look({ mode: next })}
        />
        <ProblemNote error={run.error ?? preview.error} />
        {report && !preview.error && <Report report={report} />}
      </div>
    </Dialog>
  );
}

function Report({ report }: { readonly report: NonNullable<ReturnType<typeof useImport>['data']> }) {
  const { counts, unknown, problems, errors } = report;
  const said = [
    `${counts.events} events in a file of the format ${report.format.replaceAll('_', ' ')}`,
    `${counts.created} new`,
    `${counts.updated} changed`,
    `${counts.unchanged} as they are`,
    ...(counts.retracted > 0 ? [`${counts.retracted} withdrawn`] : []),
    ...(counts.failed > 0 ? [`${counts.failed} refused`] : []),
  ];
  return (
    <div className="import-table" role="status">
      <p>
        <b>What an import would do:</b> {said.join(', ')}.
      </p>
      <ul>
        {unknown.map(({ kind, name, reason, count }) => (
          <li key={`${kind} ${name}`}>
            The {kind} “{name}” is {reason} ({count} {count === 1 ? 'event' : 'events'}).
          </li>
        ))}
        {errors.slice(0, 50).map(({ index, line, detail }) => (
          <li key={`${index}`}>
            {line === null ? `Event ${index + 1}` : `Line ${line}`}: {detail}
          </li>
        ))}
        {problems.slice(0, 50).map(({ index, line, field, message }) => (
          <li key={`${index} ${field}`}>
            {line === null ? `Event ${index + 1}` : `Line ${line}`}, {field}: {message}
          </li>
        ))}
      </ul>
    </div>
  );
}
