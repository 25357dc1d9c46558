import { useState } from 'react';
import { type BulkOutcome, type BulkTarget, useBulkTags } from '../api/bulk.ts';
import { ProblemNote, showProblem } from '../app/problem-view.tsx';
import { clearSelection, countSelected, type Selection } from '../library/selection.ts';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { plural } from '../ui/format.ts';
import { ProgressBar } from '../ui/progress-bar.tsx';
import { RadioGroup } from '../ui/radio-group.tsx';
import { showToast } from '../ui/toast.tsx';
import { ChosenTags } from './chosen-tags.tsx';
import type { ChosenTag } from './tag-field.tsx';
import './bulk-tag-panel.css';

type Way = 'add' | 'remove';
const WAYS = [
  { value: 'add', label: 'Put on' },
  { value: 'remove', label: 'Take off' },
] as const;

/** Puts tags on all that is selected, or takes them off. What really changed can be undone. */
export function BulkTagPanel({ selection, onClose }: { readonly selection: Selection; readonly onClose: () => void }) {
  const [way, setWay] = useState<Way>('add');
  const [tags, setTags] = useState<readonly ChosenTag[]>([]);
  const [share, setShare] = useState(0);
  const bulk = useBulkTags(setShare);
  const count = countSelected(selection);
  const target: BulkTarget =
    selection.kind === 'everything' ? { filter: selection.filter } : { ids: [...selection.ids] };

  const run = async () => {
    const done: { readonly tag: ChosenTag; readonly outcome: BulkOutcome }[] = [];
    try {
      // One after the other: an asset that had one of them keeps it when the others are undone.
      for (const tag of tags) {
        done.push({ tag, outcome: await bulk.mutateAsync({ target, tags: { [way]: [tag.id] } }) });
      }
    } catch {
      // Said in the dialog; what was done before is told below.
      if (done.length === 0) return;
    }
    const changed = new Set(done.flatMap(({ outcome }) => outcome.changed));
    const undo = async () => {
      const back = way === 'add' ? 'remove' : 'add';
      try {
        for (const { tag, outcome } of done) {
          if (outcome.changed.length === 0) continue;
          await bulk.mutateAsync({ target: { ids: outcome.changed }, tags: { [back]: [tag.id] } });
        }
        showToast({ tone: 'info', text: 'It is as it was before.' });
      } catch (fault) {
        showProblem(fault, 'Not all of it could be undone');
      }
    };
    showToast({
      tone: 'ok',
      text: `${plural(changed.size, 'asset')} changed.`,
      ...(changed.size > 0 && { action: { label: 'Undo', run: () => void undo() } }),
    });
    if (done.length === tags.length) {
      clearSelection();
      onClose();
    }
  };
  return (
    <Dialog
      title={`Tag ${plural(count, 'asset')}`}
      isOpen
      onClose={onClose}
      footer={
        <Button tone="primary" isDisabled={tags.length === 0} isPending={bulk.isPending} onPress={() => void run()}>
          {way === 'add' ? 'Put on' : 'Take off'}
        </Button>
      }
    >
      <div className="bulk-tags">
        <RadioGroup label="What to do" options={WAYS} value={way} onChange={setWay} />
        <ChosenTags label="Tags" placeholder="Player, club, match, sponsor…" autoFocus tags={tags} onChange={setTags} />
        {bulk.isPending && <ProgressBar label="Tagging" value={share} />}
        <ProblemNote error={bulk.error} />
      </div>
    </Dialog>
  );
}
