import { useState } from 'react';
import { type Media, type MediaChange, useMediaWrites } from '../api/media.ts';
import { ProblemNote } from '../app/problem-view.tsx';
import { Button } from '../ui/button.tsx';
import { type Fact, Facts } from '../ui/facts.tsx';
import { formatBytes } from '../ui/format.ts';
import { Select } from '../ui/select.tsx';
import { TextField } from '../ui/text-field.tsx';

const USAGES = [
  { value: 'approved', label: 'Approved' },
  { value: 'limited', label: 'Limited' },
  { value: 'raw', label: 'Raw' },
  { value: 'embargoed', label: 'Embargoed' },
  { value: 'expired', label: 'Expired' },
] as const;
const RATINGS = ['', '1', '2', '3', '4', '5'].map((value) => ({
  value,
  label: value === '' ? 'None' : '★'.repeat(Number(value)),
}));
/** Texts that photographers write; others are shown as they are. */
const TEXTS = ['title', 'caption', 'credit', 'copyright'] as const;
const LABELS: Readonly<Record<string, string>> = {
  title: 'Title',
  caption: 'Caption',
  credit: 'Credit',
  copyright: 'Copyright',
};

const textOf = (value: unknown): string =>
  typeof value === 'string' ? value : value === undefined || value === null ? '' : JSON.stringify(value);

/** What the asset is and what is written about it; a change is kept when it is saved. */
export function DetailsPanel({ media, canWrite }: { readonly media: Media; readonly canWrite: boolean }) {
  const { change } = useMediaWrites(media.id);
  const [name, setName] = useState(media.name);
  const [rating, setRating] = useState(media.rating === null ? '' : String(media.rating));
  const [usage, setUsage] = useState(media.usage);
  const [texts, setTexts] = useState<Readonly<Record<string, string>>>(() =>
    Object.fromEntries(TEXTS.map((key) => [key, textOf(media.details[key])])),
  );
  const changed: Partial<MediaChange> = {
    ...(name !== media.name && { name }),
    ...(rating !== (media.rating === null ? '' : String(media.rating)) && {
      rating: rating === '' ? null : Number(rating),
    }),
    ...(usage !== media.usage && { usage }),
  };
  const details = Object.fromEntries(
    TEXTS.filter((key) => texts[key] !== textOf(media.details[key])).map((key) => [key, texts[key] || null]),
  );
  const isChanged = Object.keys(changed).length > 0 || Object.keys(details).length > 0;
  const save = () =>
    change.mutate({
      body: { ...changed, ...(Object.keys(details).length > 0 && { details }) },
      version: media.version,
    });
  return (
    <div className="photo-panel">
      {canWrite ? (
        <form
          className="photo-form"
          onSubmit={(event) => {
            event.preventDefault();
            if (isChanged) save();
          }}
        >
          <TextField label="Name" value={name} onChange={setName} />
          {TEXTS.map((key) => (
            <TextField
              key={key}
              label={LABELS[key] ?? key}
              value={texts[key] ?? ''}
              isMultiline={key === 'caption'}
              onChange={(text) => setTexts({ ...texts, [key]: text })}
            />
          ))}
          <div className="photo-pair">
            <Select label="Rating" options={RATINGS} value={rating} onChange={setRating} />
            <Select label="Usage" options={USAGES} value={usage} onChange={setUsage} />
          </div>
          <ProblemNote error={change.error} />
          <Button type="submit" tone="primary" isDisabled={!isChanged} isPending={change.isPending}>
            {change.isPending ? 'Saving…' : 'Save'}
          </Button>
        </form>
      ) : null}
      <MediaFacts media={media} />
    </div>
  );
}

function MediaFacts({ media }: { readonly media: Media }) {
  const captured = media.captured_at === null ? undefined : new Date(media.captured_at);
  const facts: readonly Fact[] = [
    ['Taken', captured?.toLocaleString('en-GB', { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' })],
    ['Uploaded', new Date(media.created_at).toLocaleString('en-GB', { dateStyle: 'long', timeStyle: 'short' })],
    ['Size', media.width === null ? undefined : `${media.width} × ${media.height ?? 0} px`],
    ['File', `${formatBytes(media.bytes)}, ${media.mime_type}`],
    ['ID', String(media.id)],
    ...Object.entries(media.details)
      .filter(([key]) => !TEXTS.some((one) => one === key))
      .map(([key, value]) => [key.replaceAll('_', ' '), textOf(value)] as const),
    ['Warnings', media.warnings.join(', ')],
  ];
  return <Facts layout="rows" className="photo-facts" facts={facts} />;
}
