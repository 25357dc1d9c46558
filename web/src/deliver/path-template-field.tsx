import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Braces } from 'lucide-react';
import { useRef } from 'react';
import { pathPreviewQuery, type PreviewedDestination } from '../api/destinations.ts';
import { type Filter, mediaPageQuery } from '../api/media-search.ts';
import { toProblem } from '../api/problem.ts';
import { useResting } from '../library/use-resting.ts';
import { Button } from '../ui/button.tsx';
import { Menu } from '../ui/menu.tsx';
import { TextField } from '../ui/text-field.tsx';
import type { Quality } from './destination-draft.ts';
import './path-template-field.css';

const REST_MS = 250;
const SHOWN_ASSETS = 3;
/** What people ask for most; docs/delivery.md has all of them. */
const TOKENS: readonly { readonly token: string; readonly label: string }[] = [
  { token: '{media.name}', label: 'Name of the file' },
  { token: '{media.ext}', label: 'Its extension' },
  { token: '{media.id}', label: 'ID of the asset' },
  { token: '{quality}', label: 'Quality' },
  { token: '{captured_at:yyyy/MM/dd}', label: 'Day it was taken, as folders' },
  { token: '{captured_at:yyyyMMdd-HHmmss}', label: 'Time it was taken' },
  { token: '{match|slug}', label: 'Match' },
  { token: '{match.date}', label: 'Day of the match' },
  { token: '{competition|slug|default:other}', label: 'Competition' },
  { token: '{season|slug}', label: 'Season' },
  { token: '{club|slug}', label: 'Club' },
  { token: '{player|slug|default:nobody}', label: 'First player' },
  { token: '{players:3}', label: 'First three players' },
  { token: '{credit|slug}', label: 'Credit' },
  { token: '{seq:4}', label: 'Place in the request' },
  { token: '{sha256:8}', label: 'Hash of the file' },
];

/** A template of paths, and what becomes of it for the newest assets of the library, as the service answers. */
export function PathTemplateField({
  label = 'Path of each file',
  value,
  onChange,
  destination,
  qualities,
  picture,
  error,
}: {
  readonly label?: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly destination: PreviewedDestination;
  readonly qualities: readonly Quality[];
  /** Parameters of a picture in place of qualities; empty for none. */
  readonly picture: string;
  readonly error?: string | undefined;
}) {
  const input = useRef<HTMLInputElement>(null);
  const insert = (token: string) => {
    const { selectionStart, selectionEnd } = input.current ?? {};
    const from = selectionStart ?? value.length;
    onChange(value.slice(0, from) + token + value.slice(selectionEnd ?? from));
    input.current?.focus();
  };
  const { paths, problem } = usePreview({ template: value, destination, qualities, picture });
  return (
    <div className="path-template">
      <div className="path-template-row">
        <TextField
          label={label}
          value={value}
          onChange={onChange}
          inputRef={input}
          error={error ?? problem}
          spellCheck="false"
          className="path-template-text"
        />
        <Menu
          label="Insert into the path"
          placement="bottom end"
          trigger={
            <Button>
              <Braces aria-hidden /> Insert
            </Button>
          }
          entries={TOKENS.map(({ token, label: text }) => ({ id: token, label: text, onAction: () => insert(token) }))}
        />
      </div>
      <PathList
        paths={paths}
        label="The newest assets of the library would be"
        empty="Upload a photo to see here what path it would get."
      />
    </div>
  );
}

/** The paths alone, of assets that a filter finds, where the template is that of a destination. */
export function PathPreview(given: Asked & { readonly filter: Filter }) {
  return (
    <PathList
      paths={usePreview(given).paths}
      label="The newest assets that meet the filter would be"
      empty="No asset of the library meets the filter yet."
    />
  );
}

function PathList({
  paths,
  label,
  empty,
}: {
  readonly paths: ReturnType<typeof usePreview>['paths'];
  readonly label: string;
  readonly empty: string;
}) {
  if (!paths) return null;
  if (paths.length === 0) return <p className="ui-hint">{empty}</p>;
  return (
    <div className="path-template-preview" role="status" aria-label={label}>
      <p className="ui-hint">{label}</p>
      <ul>
        {paths.map((one) => (
          <li key={`${one.media_id} ${one.quality ?? ''}`}>
            <code>{one.path}</code>
            {one.collision && <span className="path-template-meets">another file has this path</span>}
          </li>
        ))}
      </ul>
    </div>
  );
}

type Asked = {
  readonly template: string;
  readonly destination: PreviewedDestination;
  readonly qualities: readonly Quality[];
  readonly picture: string;
};
const READY: Filter = { status: 'ready' };

function usePreview(given: Asked & { readonly filter?: Filter }) {
  const { destination, filter = READY } = given;
  const asked = useResting(JSON.stringify([given.template, given.qualities, given.picture, filter]), REST_MS);
  // As it was written a line above.
  const [template, qualities, picture, restingFilter] = JSON.parse(asked) as [string, Quality[], string, Filter];
  const newest = useQuery(mediaPageQuery({ filter: restingFilter, sort: '-created_at' }, 1));
  const mediaIds = (newest.data?.media ?? []).slice(0, SHOWN_ASSETS).map(({ id }) => id);
  const trimmed = picture.trim();
  const { data, error } = useQuery({
    ...pathPreviewQuery(destination, {
      mediaIds,
      path_template: template,
      ...(trimmed === '' ? { qualities } : { rendition: { kind: 'image', params: trimmed } }),
    }),
    placeholderData: keepPreviousData,
  });
  if (newest.data?.media.length === 0) return { paths: [], problem: undefined };
  const fault = error === null ? undefined : toProblem(error);
  return {
    paths: fault ? undefined : data,
    problem: fault?.fields.find(({ pointer }) => pointer === '/path_template')?.detail,
  };
}
