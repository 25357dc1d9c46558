import { X } from 'lucide-react';
import type { ReactNode } from 'react';
import { TagGroup as AriaTagGroup, Button, Label, Tag, TagList } from 'react-aria-components';
import { classNames } from './class-names.ts';
import './tag-group.css';

export type TagEntry = {
  readonly id: string | number;
  readonly label: string;
  readonly icon?: ReactNode;
  /** Shown before the label and more quietly: what the tag stands for here. */
  readonly prefix?: string;
  readonly tone?: 'plain' | 'accent' | 'danger';
};

/** Tags in a row; the arrow keys move between them, Delete takes one away. */
export function TagGroup({
  label,
  isLabelHidden = true,
  tags,
  onRemove,
  onAction,
  empty,
}: {
  readonly label: string;
  readonly isLabelHidden?: boolean;
  readonly tags: readonly TagEntry[];
  readonly onRemove?: (id: string | number) => void;
  readonly onAction?: (id: string | number) => void;
  readonly empty?: ReactNode;
}) {
  return (
    <AriaTagGroup
      className="ui-field"
      {...(isLabelHidden ? { 'aria-label': label } : {})}
      {...(onRemove && {
        onRemove: (keys) => {
          for (const key of keys) onRemove(key);
        },
      })}
    >
      {!isLabelHidden && <Label className="ui-label">{label}</Label>}
      <TagList className="ui-tags" renderEmptyState={() => empty}>
        {tags.map((tag) => (
          <Tag
            key={tag.id}
            id={tag.id}
            textValue={tag.label}
            className={classNames('ui-tag', tag.tone && `ui-tag-${tag.tone}`)}
            {...(onAction && { onAction: () => onAction(tag.id) })}
          >
            {tag.icon}
            {tag.prefix !== undefined && <span className="ui-tag-prefix">{tag.prefix}</span>}
            <span className="ui-tag-label">{tag.label}</span>
            {onRemove && (
              <Button slot="remove" className="ui-tag-remove" aria-label={`Remove ${tag.label}`}>
                <X aria-hidden />
              </Button>
            )}
          </Tag>
        ))}
      </TagList>
    </AriaTagGroup>
  );
}
