import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { Images } from 'lucide-react';
import type { ReactNode } from 'react';
import { usageQuery } from '../../api/usage.ts';
import { ProblemView } from '../../app/problem-view.tsx';
import { Disclosure } from '../../ui/disclosure.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { type Fact, Facts } from '../../ui/facts.tsx';
import { formatBytes, formatCount } from '../../ui/format.ts';
import { Select } from '../../ui/select.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { Table, type TableColumn } from '../../ui/table.tsx';
import { useNow } from '../../ui/use-now.ts';
import { AdminOnly } from '../admin-only.tsx';
import { SpanChart } from './span-chart.tsx';
import {
  assetRows,
  liveAssets,
  periodOf,
  PERIODS,
  spansOf,
  spanText,
  storageRows,
  storedBytes,
  type Usage,
} from './usage-figures.ts';
import './usage.css';

/** How much the library has, and how much is asked of it. */
export function UsageView() {
  return (
    <AdminOnly what="the usage of the library">
      <UsageFigures />
    </AdminOnly>
  );
}

function UsageFigures() {
  const period = periodOf(useSearch({ from: '/admin/usage' })['days']);
  const { data: usage, error, refetch } = useQuery(usageQuery(Number(period)));
  if (error && !usage) return <ProblemView error={error} onRetry={() => void refetch()} />;
  if (!usage) return <Skeleton height={320} />;
  return (
    <div className="usage">
      <Totals usage={usage} />
      <Assets assets={usage.assets} />
      <Storage storage={usage.storage} />
      <Asked usage={usage} period={period} />
    </div>
  );
}

function Totals({ usage }: { readonly usage: Usage }) {
  const figures: readonly Fact[] = [
    ['Assets', formatCount(liveAssets(usage.assets))],
    ['Actions in videos', formatCount(usage.actions)],
    ['Files', formatCount(usage.storage.reduce((sum, { files }) => sum + files, 0))],
    ['Storage', formatBytes(storedBytes(usage.storage))],
  ];
  return <Facts className="usage-totals" facts={figures} />;
}

function Part({
  title,
  aside,
  children,
}: {
  readonly title: string;
  readonly aside?: ReactNode;
  readonly children: ReactNode;
}) {
  return (
    <section aria-label={title}>
      <header className="admin-bar">
        <h2>{title}</h2>
        {aside}
      </header>
      {children}
    </section>
  );
}

/** How much something is of the greatest one beside it, 0 to 1. */
function Share({ share }: { readonly share: number }) {
  return (
    <span className="usage-share" aria-hidden>
      <span style={{ width: `${share * 100}%` }} />
    </span>
  );
}

type AssetRow = ReturnType<typeof assetRows>[number];
const ASSET_COLUMNS: readonly TableColumn<AssetRow>[] = [
  { id: 'state', label: 'State', cell: ({ label }) => label },
  { id: 'photos', label: 'Photos', isNumber: true, cell: ({ photos }) => formatCount(photos) },
  { id: 'videos', label: 'Videos', isNumber: true, cell: ({ videos }) => formatCount(videos) },
  { id: 'total', label: 'Both', isNumber: true, cell: ({ total }) => formatCount(total) },
  { id: 'share', label: 'Compared', width: '40%', cell: ({ share }) => <Share share={share} /> },
];

function Assets({ assets }: { readonly assets: Usage['assets'] }) {
  return (
    <Part title="Photos and videos">
      {assets.length === 0 ? (
        <EmptyState icon={Images} title="The library is empty">
          Upload photos and videos, and they are counted here.
        </EmptyState>
      ) : (
        <Table
          label="Photos and videos by state"
          columns={ASSET_COLUMNS}
          items={assetRows(assets)}
          idOf={({ status }) => status}
        />
      )}
    </Part>
  );
}

type StorageRow = ReturnType<typeof storageRows>[number];
const STORAGE_COLUMNS: readonly TableColumn<StorageRow>[] = [
  { id: 'kind', label: 'Kind of file', cell: ({ label }) => label },
  { id: 'files', label: 'Files', isNumber: true, cell: ({ files }) => formatCount(files) },
  { id: 'bytes', label: 'Size', isNumber: true, cell: ({ bytes }) => formatBytes(bytes) },
  { id: 'share', label: 'Compared', width: '40%', cell: ({ share }) => <Share share={share} /> },
];

function Storage({ storage }: { readonly storage: Usage['storage'] }) {
  return (
    <Part title="Storage">
      <Table
        label="Storage by kind of file"
        columns={STORAGE_COLUMNS}
        items={storageRows(storage)}
        idOf={({ quality }) => quality}
        empty="No file is stored yet."
      />
      <p className="quiet usage-note">Assets in the bin take space too, until they are purged.</p>
    </Part>
  );
}

function Asked({ usage, period }: { readonly usage: Usage; readonly period: string }) {
  const navigate = useNavigate();
  const spans = spansOf(usage.days, Number(period), new Date(useNow()).toISOString().slice(0, 10));
  return (
    <Part
      title="What was asked of it"
      aside={
        <Select
          label="Period"
          isLabelHidden
          options={PERIODS}
          value={periodOf(period)}
          onChange={(days) => void navigate({ to: '/admin/usage', search: { days }, replace: true })}
        />
      }
    >
      <SpanChart title="Searches" spans={spans} valueOf={({ searches }) => searches} what={['search', 'searches']} />
      <SpanChart
        title="All requests"
        spans={spans}
        valueOf={({ requests }) => requests}
        what={['request', 'requests']}
      />
      <p className="quiet usage-note">
        Requests of the API, by day in UTC; searches of assets, actions and tags are among them. Images and files that
        are opened by their URL are not counted.
      </p>
      <Disclosure label="The figures as a table">
        <Table
          label="Searches and requests"
          items={spans.toReversed()}
          idOf={({ from }) => from}
          columns={[
            { id: 'when', label: 'When', cell: (span) => spanText(span) },
            { id: 'searches', label: 'Searches', isNumber: true, cell: ({ searches }) => formatCount(searches) },
            { id: 'requests', label: 'Requests', isNumber: true, cell: ({ requests }) => formatCount(requests) },
          ]}
        />
      </Disclosure>
    </Part>
  );
}
