import { useQuery } from '@tanstack/react-query';
import { type TagOption, tagUsageQuery, useTagWrites } from '../../api/tags.ts';
import { ProblemNote } from '../../app/problem-view.tsx';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { plural } from '../../ui/format.ts';
import { Skeleton } from '../../ui/skeleton.tsx';
import { showToast } from '../../ui/toast.tsx';

/** Deletes what nothing carries; for the rest it says what stands in the way, and what to do instead. */
export function DeleteTagDialog({
  tag,
  onDeleted,
  onDeactivated,
  onMerge,
  onClose,
}: {
  readonly tag: TagOption;
  readonly onDeleted: () => void;
  readonly onDeactivated: (tag: TagOption) => void;
  readonly onMerge: () => void;
  readonly onClose: () => void;
}) {
  const { data: usage, error } = useQuery(tagUsageQuery(tag.id));
  const { change, remove } = useTagWrites();
  const holds = usage
    ? [
        ...(usage.media > 0 ? [`it is on ${plural(usage.media, 'asset')}`] : []),
        ...(usage.actions > 0
          ? [`${plural(usage.actions, 'action')} ${usage.actions === 1 ? 'names' : 'name'} it, or did once`]
          : []),
        ...(usage.merged > 0 ? [`${plural(usage.merged, 'other was', 'others were')} merged into it`] : []),
      ]
    : [];
  const canDelete = usage !== undefined && holds.length === 0;
  const loses = usage
    ? [
        ...(usage.tag_options > 0 ? [`relations of ${plural(usage.tag_options, 'tag option')}`] : []),
        ...(usage.matches > 0 ? [plural(usage.matches, 'match', 'matches')] : []),
      ]
    : [];
  const deactivate = () =>
    change.mutate(
      { tag, body: { status: 'deactivated' } },
      {
        onSuccess: onDeactivated,
      },
    );
  const runDelete = () =>
    remove.mutate(tag, {
      onSuccess: () => {
        showToast({ tone: 'ok', text: `${tag.label} was deleted.` });
        onDeleted();
      },
    });
  return (
    <Dialog
      title={`Delete ${tag.full_name ?? tag.label}?`}
      isOpen
      onClose={onClose}
      footer={
        <>
          {tag.status === 'active' && (
            <Button isPending={change.isPending} onPress={deactivate}>
              Deactivate instead
            </Button>
          )}
          {usage && !canDelete ? (
            <Button onPress={onMerge}>Merge instead…</Button>
          ) : (
            <Button tone="danger" isDisabled={!canDelete} isPending={remove.isPending} onPress={runDelete}>
              {remove.isPending ? 'Deleting…' : 'Delete'}
            </Button>
          )}
        </>
      }
    >
      <div className="tag-form">
        {usage === undefined && !error && <Skeleton height={60} />}
        {holds.length > 0 && <p>It cannot be deleted: {holds.join(', ')}.</p>}
        {canDelete && (
          <p>
            No asset carries it and no action names it.
            {loses.length > 0 ? ` What names it loses it: ${loses.join(', ')}.` : ' Nothing else names it.'} This cannot
            be taken back.
          </p>
        )}
        <p className="quiet">
          Deactivated, it goes on no more assets. It stays on those that have it, and searches still find it.
        </p>
        <ProblemNote error={error ?? change.error ?? remove.error} />
      </div>
    </Dialog>
  );
}
