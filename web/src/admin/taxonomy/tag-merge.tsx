import { useQuery } from '@tanstack/react-query';
import { ArrowRight } from 'lucide-react';
import { useState } from 'react';
import { mediaWithEitherQuery, type TagOption, tagQuery, tagUsageQuery, useTagWrites } from '../../api/tags.ts';
import { ProblemNote } from '../../app/problem-view.tsx';
import { type ChosenTag, TagField } from '../../tags/tag-field.tsx';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { formatCount, plural } from '../../ui/format.ts';
import { RadioGroup } from '../../ui/radio-group.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { showToast } from '../../ui/toast.tsx';
import { planMerge } from './merge-plan.ts';

const nameOf = (tag: TagOption): string => tag.full_name ?? tag.label;

/** Makes one of two tag options: which one stays, and what moves to it, is seen before it is done. */
export function MergeTagDialog({
  tag,
  onMerged,
  onOpen,
  onClose,
}: {
  readonly tag: TagOption;
  readonly onMerged: () => void;
  readonly onOpen: (id: number) => void;
  readonly onClose: () => void;
}) {
  const [chosen, setChosen] = useState<ChosenTag>();
  const [staying, setStaying] = useState<'this' | 'other'>('other');
  const { data: other } = useQuery({ ...tagQuery(chosen?.id ?? 0), enabled: chosen !== undefined });
  const { merge } = useTagWrites();
  const [from, into] = staying === 'other' ? [tag, other] : [other, tag];
  const run = () => {
    if (!from || !into) return;
    merge.mutate(
      { from: from.id, into: into.id },
      {
        onSuccess: (survivor) => {
          const detail = `${nameOf(survivor)} is on ${plural(survivor.media_count, 'asset')} now.`;
          const text = `${nameOf(from)} was merged into ${nameOf(survivor)}.`;
          showToast({ tone: 'ok', text, detail, action: { label: 'Show it', run: () => onOpen(survivor.id) } });
          onMerged();
        },
      },
    );
  };
  const isSame = chosen?.id === tag.id;
  return (
    <Dialog
      title={`Merge ${nameOf(tag)}`}
      isOpen
      onClose={onClose}
      footer={
        <>
          <Button onPress={onClose}>Leave them apart</Button>
          <Button tone="danger" isDisabled={!from || !into || isSame} isPending={merge.isPending} onPress={run}>
            {merge.isPending ? 'Merging…' : 'Merge'}
          </Button>
        </>
      }
    >
      <div className="tag-form">
        <p>Two names of the same {tag.type}? One of them stays. This cannot be taken back.</p>
        <TagField
          label="The other one"
          type={tag.type}
          placeholder={`Name of a ${tag.type}`}
          autoFocus
          onChoose={(next) => {
            merge.reset();
            setChosen(next);
          }}
        />
        {isSame && <p role="alert">That is the same one. Choose another.</p>}
        {other && !isSame && (
          <RadioGroup
            label="Which one stays"
            options={[
              { value: 'other', label: nameOf(other), hint: hintOf(other) },
              { value: 'this', label: nameOf(tag), hint: hintOf(tag) },
            ]}
            value={staying}
            onChange={setStaying}
          />
        )}
        {from && into && !isSame && <Preview from={from} into={into} />}
        <ProblemNote error={merge.error} />
      </div>
    </Dialog>
  );
}

const hintOf = (tag: TagOption): string =>
  [
    `ID ${tag.id}`,
    plural(tag.media_count, 'asset'),
    ...Object.entries(tag.external_ids).map(([source, id]) => `${source} ${id}`),
  ].join(' · ');

/** What moves, counted by the service. */
function Preview({ from, into }: { readonly from: TagOption; readonly into: TagOption }) {
  const { data: usage } = useQuery(tagUsageQuery(from.id));
  const { data: either } = useQuery(mediaWithEitherQuery(from.id, into.id));
  if (!usage || either === undefined) return <Skeleton height={120} />;
  const plan = planMerge(from, into);
  const both = from.media_count + into.media_count - either;
  const moves = [
    `${plural(usage.media, 'asset')}${both > 0 ? ` (${formatCount(both)} with both already)` : ''}`,
    ...(usage.actions > 0 ? [plural(usage.actions, 'action')] : []),
    ...(plan.relations > 0 ? [`${plural(plan.relations, 'relation')} of its own`] : []),
    ...(usage.tag_options > 0 ? [`relations of ${plural(usage.tag_options, 'other tag option')}`] : []),
    ...(usage.matches > 0 ? [plural(usage.matches, 'match', 'matches')] : []),
  ];
  return (
    <section className="merge-preview" aria-label="What happens">
      <h3>
        {nameOf(from)} <ArrowRight aria-label="becomes" /> {nameOf(into)}
      </h3>
      <ul>
        <li>Moves: {moves.join(', ')}.</li>
        <li>
          {nameOf(into)} will be on {plural(either, 'asset')}.
        </li>
        {plan.aliases.length > 0 && <li>Other names from then on: {plan.aliases.join(', ')}.</li>}
        {plan.moving.length > 0 && <li>External IDs that move: {plan.moving.join(', ')}.</li>}
        {plan.staying.length > 0 && (
          <li>
            External IDs that stay with the redirect, because it has one of the system: {plan.staying.join(', ')}.
          </li>
        )}
        <li>
          ID {from.id} stays as a redirect: links, searches and feeds that know it find {nameOf(into)}.
        </li>
      </ul>
    </section>
  );
}
