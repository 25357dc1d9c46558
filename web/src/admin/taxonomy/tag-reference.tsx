import { useQuery } from '@tanstack/react-query';
import { X } from 'lucide-react';
import { type TagType, tagQuery } from '../../api/tags.ts';
import { TagField } from '../../tags/tag-field.tsx';
import { IconButton } from '../../ui/icon-button.tsx';

/** The name of a tag option that is known by its ID; the ID itself only where there is no name to be had. */
export function TagName({ id }: { readonly id: number }) {
  const { data, isPending } = useQuery(tagQuery(id));
  if (data) return <>{data.full_name ?? data.label}</>;
  return <>{isPending ? '…' : `ID ${id}`}</>;
}

/** One tag option of a type, or none. */
export function ReferenceField({
  label,
  type,
  value,
  isReadOnly,
  error,
  onChange,
}: {
  readonly label: string;
  readonly type: TagType;
  readonly value: number | null;
  readonly isReadOnly: boolean;
  readonly error?: string | undefined;
  readonly onChange: (id: number | null) => void;
}) {
  return (
    <div className="tag-reference">
      {value === null && !isReadOnly ? (
        <TagField label={label} type={type} placeholder={`Name of a ${type}`} onChoose={({ id }) => onChange(id)} />
      ) : (
        <div className="ui-field">
          <span className="ui-label">{label}</span>
          <span className="tag-reference-value">
            <span>{value === null ? <span className="quiet">none</span> : <TagName id={value} />}</span>
            {value !== null && !isReadOnly && (
              <IconButton icon={X} size="s" label={`Take ${label.toLowerCase()} away`} onPress={() => onChange(null)} />
            )}
          </span>
        </div>
      )}
      {error !== undefined && <span className="ui-field-error">{error}</span>}
    </div>
  );
}
