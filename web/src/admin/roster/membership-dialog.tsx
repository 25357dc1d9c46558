import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { toProblem } from '../../api/problem.ts';
import { type TagOption, tagQuery, useTagWrites } from '../../api/tags.ts';
import { ProblemNote } from '../../app/problem-view.tsx';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { TextField } from '../../ui/text-field.tsx';
import { showToast } from '../../ui/toast.tsx';
import { ReferenceField } from '../taxonomy/tag-reference.tsx';
import { clubsWith, type Member } from './squad.ts';

/** From when to when somebody plays for a club, and with which number; without `member` for one who does not yet. */
export function MembershipDialog({
  club,
  member,
  at,
  onClose,
}: {
  readonly club: number;
  readonly member?: Member;
  /** The day from which a new player plays for the club. */
  readonly at?: string;
  readonly onClose: () => void;
}) {
  const [chosen, setChosen] = useState<number | null>(member?.player.id ?? null);
  const [shirt, setShirt] = useState(textOf(member?.shirtNumber));
  const [position, setPosition] = useState(member?.position ?? '');
  const [from, setFrom] = useState(member ? (member.from ?? '') : (at ?? ''));
  const [to, setTo] = useState(member?.to ?? '');
  const { data: found } = useQuery({ ...tagQuery(chosen ?? 0), enabled: chosen !== null && !member, staleTime: 0 });
  const player = member?.player ?? found;
  const { change } = useTagWrites();
  const errors = change.error === null ? [] : toProblem(change.error).fields;
  const errorAt = (name: string) => errors.find(({ pointer }) => pointer.endsWith(`/${name}`))?.detail;
  const write = (tag: TagOption, isRemoved: boolean) => {
    const relation = {
      club,
      shirt_number: shirt === '' ? null : Number(shirt),
      position: position.trim() === '' ? null : position.trim(),
      from: from === '' ? null : from,
      to: to === '' ? null : to,
    };
    const clubs = [...clubsWith(tag, member?.place, isRemoved ? null : relation)];
    change.mutate(
      { tag, body: { relations: { clubs } } },
      {
        onSuccess: (saved) => {
          showToast({ tone: 'ok', text: `The clubs of ${saved.full_name ?? saved.label} were saved.` });
          onClose();
        },
      },
    );
  };
  return (
    <Dialog
      title={member ? (member.player.full_name ?? member.player.label) : 'Add a player'}
      isOpen
      onClose={onClose}
      footer={
        <>
          {member && (
            <Button
              tone="quiet"
              className="tag-delete"
              isPending={change.isPending}
              onPress={() => write(member.player, true)}
            >
              Was never there: take away
            </Button>
          )}
          <Button tone="primary" type="submit" form="membership" isDisabled={!player} isPending={change.isPending}>
            Save
          </Button>
        </>
      }
    >
      <form
        id="membership"
        className="tag-form"
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          if (player) write(player, false);
        }}
      >
        {!member && (
          <ReferenceField label="Player" type="player" value={chosen} isReadOnly={false} onChange={setChosen} />
        )}
        <div className="tag-pairs">
          <TextField
            label="Shirt number"
            inputMode="numeric"
            value={shirt}
            onChange={(text) => setShirt(text.replaceAll(/\D/g, '').slice(0, 3))}
            error={errorAt('shirt_number')}
          />
          <TextField label="Position" value={position} onChange={setPosition} error={errorAt('position')} />
          <TextField label="From" type="date" value={from} onChange={setFrom} error={errorAt('from')} />
          <TextField
            label="To"
            type="date"
            hint="The last day; empty while it lasts."
            value={to}
            onChange={setTo}
            error={errorAt('to')}
          />
        </div>
        <ProblemNote error={change.error} />
      </form>
    </Dialog>
  );
}

const textOf = (value: number | null | undefined): string =>
  value === null || value === undefined ? '' : String(value);
