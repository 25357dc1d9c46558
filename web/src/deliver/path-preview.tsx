import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { pathPreviewQuery, type PreviewedDestination } from '../api/destinations.ts';
import { type Filter, mediaPageQuery } from '../api/media-search.ts';
import { toProblem } from '../api/problem.ts';
import { useResting } from '../library/use-resting.ts';
import type { Quality } from './content.ts';
import './path-preview.css';

const REST_MS = 250;
const SHOWN_ASSETS = 3;
/** The paths alone, of assets that a filter finds, where the template is that of a destination. */
export function PathPreview(given: Asked & { readonly filter: Filter }) {
  return (
    <PathList
      paths={usePathPreview(given).paths}
      label="The newest assets that meet the filter would be"
      empty="No asset of the library meets the filter yet."
    />
  );
}

/** The paths that assets would get; nothing while they are not known. */
export function PathList({
  paths,
  label,
  empty,
}: {
  readonly paths: ReturnType<typeof usePathPreview>['paths'];
  readonly label: string;
  readonly empty: string;
}) {
  if (!paths) return null;
  if (paths.length === 0) return <p className="ui-hint">{empty}</p>;
  return (
    <div className="path-preview" role="status" aria-label={label}>
      <p className="ui-hint">{label}</p>
      <ul>
        {paths.map((one) => (
          <li key={`${one.media_id} ${one.quality ?? ''}`}>
            <code>{one.path}</code>
            {one.collision && <span className="path-preview-meets">another file has this path</span>}
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

/** What becomes of a template for the newest assets of the library, as the service answers. */
export function usePathPreview(given: Asked & { readonly filter?: Filter }) {
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
