import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { tagCategoriesQuery, type TagType, useTagWrites } from '../../api/tags.ts';
import { ProblemNote } from '../../app/problem-view.tsx';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { plural } from '../../ui/format.ts';
import { TextField } from '../../ui/text-field.tsx';
import { showToast } from '../../ui/toast.tsx';

/** Another name for a category; with the name of one that exists, the two become one. */
export function RenameCategoryDialog({
  type,
  category,
  onRenamed,
  onClose,
}: {
  readonly type: TagType;
  readonly category: string;
  readonly onRenamed: (name: string) => void;
  readonly onClose: () => void;
}) {
  const [name, setName] = useState(category);
  const { data: counted } = useQuery(tagCategoriesQuery);
  const { renameCategory } = useTagWrites();
  const next = name.trim();
  const sizeOf = (wanted: string) => {
    const found = counted?.find((one) => one.type === type && one.category === wanted);
    return found ? found.active + found.deactivated : 0;
  };
  const joined = next === category ? 0 : sizeOf(next);
  const run = () =>
    renameCategory.mutate(
      { type, from: category, to: next },
      {
        onSuccess: (changed) => {
          showToast({ tone: 'ok', text: `${plural(changed, 'tag option')} moved to ${next}.` });
          onRenamed(next);
        },
      },
    );
  return (
    <Dialog
      title={`Rename ${category}`}
      width="s"
      isOpen
      onClose={onClose}
      footer={
        <Button
          tone="primary"
          type="submit"
          form="rename-category"
          isDisabled={next === '' || next === category}
          isPending={renameCategory.isPending}
        >
          {joined > 0 ? 'Join the two' : 'Rename'}
        </Button>
      }
    >
      <form
        id="rename-category"
        className="tag-form"
        onSubmit={(event) => {
          event.preventDefault();
          run();
        }}
      >
        <TextField label="Name of the category" value={name} onChange={setName} autoFocus />
        <p className="quiet">
          {plural(sizeOf(category), 'tag option')} will have it.
          {joined > 0 && ` ${next} exists and has ${plural(joined, 'tag option')}: the two become one.`}
        </p>
        <ProblemNote error={renameCategory.error} />
      </form>
    </Dialog>
  );
}
