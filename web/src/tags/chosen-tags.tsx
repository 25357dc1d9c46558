import { TagGroup } from '../ui/tag-group.tsx';
import { type ChosenTag, TagField } from './tag-field.tsx';

/** Tags that are put together: a field that finds them, and those chosen so far, each of which can be left out again. */
export function ChosenTags({
  label,
  placeholder,
  autoFocus = false,
  tags,
  onChange,
}: {
  readonly label: string;
  readonly placeholder: string;
  readonly autoFocus?: boolean;
  readonly tags: readonly ChosenTag[];
  readonly onChange: (tags: readonly ChosenTag[]) => void;
}) {
  return (
    <>
      <TagField
        label={label}
        placeholder={placeholder}
        autoFocus={autoFocus}
        onChoose={(tag) => onChange([...tags.filter(({ id }) => id !== tag.id), tag])}
      />
      {tags.length > 0 && (
        <TagGroup
          label="Chosen tags"
          tags={tags.map((tag) => ({ id: tag.id, label: tag.label, tone: 'accent' }))}
          onRemove={(id) => onChange(tags.filter((tag) => tag.id !== id))}
        />
      )}
    </>
  );
}
