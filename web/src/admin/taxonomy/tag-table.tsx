import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { ChevronLeft, ChevronRight, Tags } from 'lucide-react';
import { useState } from 'react';
import { type TagHit, type TagPageAsked, tagPageQuery } from '../../api/tags.ts';
import { ProblemView } from '../../app/problem-view.tsx';
import { TYPE_NAMES, TypeIcon } from '../../library/type-icon.tsx';
import { Button } from '../../ui/button.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { formatCount, plural } from '../../ui/format.ts';
import { Skeleton } from '../../ui/skeleton.tsx';
import { Table, type TableColumn } from '../../ui/table.tsx';

const PAGE = 50;
type Cursors = readonly (string | undefined)[];
const FIRST: Cursors = [undefined];

/** What a text finds in a part of the taxonomy, page by page. */
export function TagTable({
  asked,
  isNarrow,
  onOpen,
  onNew,
}: {
  readonly asked: TagPageAsked;
  readonly isNarrow: boolean;
  readonly onOpen: (id: number) => void;
  /** Missing where the key may not write. */
  readonly onNew?: () => void;
}) {
  // Cursors of the pages up to the one that is shown; the first has none. What is asked anew begins there.
  const [walked, setWalked] = useState({ asked: '', cursors: FIRST });
  const key = JSON.stringify(asked);
  const cursors = walked.asked === key ? walked.cursors : FIRST;
  const setCursors = (next: Cursors) => setWalked({ asked: key, cursors: next });
  const { data, error, isPlaceholderData, refetch } = useQuery({
    ...tagPageQuery(asked, { cursor: cursors.at(-1), limit: PAGE }),
    placeholderData: keepPreviousData,
  });
  if (!data) {
    return error ? <ProblemView error={error} onRetry={() => void refetch()} /> : <Skeleton height={400} />;
  }
  if (data.total === 0) return <NothingFound asked={asked} {...(onNew && { onNew })} />;
  const first = (cursors.length - 1) * PAGE + 1;
  const { nextCursor } = data;
  return (
    <>
      <Table
        label="Tag options"
        columns={columnsOf(asked, isNarrow)}
        items={data.tags}
        idOf={({ id }) => id}
        onRowAction={({ id }) => onOpen(id)}
      />
      <div className="taxonomy-pager">
        <span role="status" className="quiet">
          {data.total > PAGE
            ? `${formatCount(first)} to ${formatCount(first + data.tags.length - 1)} of ${formatCount(data.total)}`
            : plural(data.total, 'tag option')}
        </span>
        {data.total > PAGE && (
          <>
            <Button size="s" isDisabled={cursors.length === 1} onPress={() => setCursors(cursors.slice(0, -1))}>
              <ChevronLeft aria-hidden /> Back
            </Button>
            <Button
              size="s"
              isDisabled={nextCursor === null || isPlaceholderData}
              onPress={() => setCursors([...cursors, nextCursor ?? undefined])}
            >
              Next <ChevronRight aria-hidden />
            </Button>
          </>
        )}
      </div>
    </>
  );
}

function columnsOf({ type, category }: TagPageAsked, isNarrow: boolean): readonly TableColumn<TagHit>[] {
  return [
    {
      id: 'name',
      label: 'Name',
      isRowHeader: true,
      cell: (tag) => <NameCell tag={tag} isTyped={type !== undefined} />,
    },
    ...(isNarrow
      ? []
      : [
          ...(category === undefined
            ? [{ id: 'category', label: 'Category', cell: (tag: TagHit) => tag.category ?? '' }]
            : []),
          {
            id: 'aliases',
            label: 'Other names',
            cell: (tag: TagHit) => <span className="quiet taxonomy-aliases">{tag.aliases.join(', ')}</span>,
          },
        ]),
    {
      id: 'assets',
      label: 'Assets',
      isNumber: true,
      width: '88px',
      cell: (tag) => (
        <Link
          to="/"
          search={{ [tag.type]: String(tag.id) }}
          aria-label={`${plural(tag.media_count, 'asset')} with ${tag.label}`}
        >
          {formatCount(tag.media_count)}
        </Link>
      ),
    },
  ];
}

function NameCell({ tag, isTyped }: { readonly tag: TagHit; readonly isTyped: boolean }) {
  return (
    <span className="taxonomy-name">
      {!isTyped && (
        <span role="img" aria-label={TYPE_NAMES[tag.type].one} className="taxonomy-type">
          <TypeIcon type={tag.type} />
        </span>
      )}
      <span>
        {tag.label}
        {tag.full_name !== null && tag.full_name !== tag.label && <span className="quiet"> {tag.full_name}</span>}
      </span>
      {tag.status === 'deactivated' && <span className="taxonomy-badge">deactivated</span>}
    </span>
  );
}

function NothingFound({ asked, onNew }: { readonly asked: TagPageAsked; readonly onNew?: () => void }) {
  const create = onNew && (
    <Button tone="primary" onPress={onNew}>
      Create one
    </Button>
  );
  if (asked.text !== '') {
    return (
      <EmptyState icon={Tags} title={`Nothing is called “${asked.text}”`} actions={create}>
        Names, other names and shirt numbers with the club were searched, with one or two typing errors.
      </EmptyState>
    );
  }
  return (
    <EmptyState icon={Tags} title="Nothing here yet" actions={create}>
      Create tag options one by one, or bring in a whole list from another system under Roster.
    </EmptyState>
  );
}
