import type { ReactNode } from 'react';
import { ComboBox as AriaComboBox, Input, Label, ListBox, ListBoxItem } from 'react-aria-components';
import { PopoverSurface } from './popover.tsx';
import './field.css';

export type ComboBoxItem = {
  readonly id: string | number;
  readonly label: string;
  readonly note?: string;
  readonly icon?: ReactNode;
};

/**
 * A field with suggestions that the caller finds for each text, perhaps from the server: `items` are those of `text`, in
 * order; nothing is filtered here. Choosing one calls `onChoose` and leaves the text to the caller.
 */
export function ComboBox({
  label,
  isLabelHidden = false,
  items,
  text,
  onTextChange,
  onChoose,
  isLoading = false,
  placeholder = '',
  emptyText = 'Nothing found.',
  autoFocus = false,
}: {
  readonly label: string;
  readonly isLabelHidden?: boolean;
  readonly items: readonly ComboBoxItem[];
  readonly text: string;
  readonly onTextChange: (text: string) => void;
  readonly onChoose: (id: string | number) => void;
  readonly isLoading?: boolean;
  readonly placeholder?: string;
  readonly emptyText?: string;
  readonly autoFocus?: boolean;
}) {
  return (
    <AriaComboBox
      className="ui-field"
      {...(isLabelHidden ? { 'aria-label': label } : {})}
      items={items}
      inputValue={text}
      onInputChange={onTextChange}
      value={null}
      onChange={(id) => {
        if (id !== null) onChoose(id);
      }}
      // Without a text there is nothing to say, and an open list would keep the rest of the page from the pointer.
      allowsEmptyCollection={text.trim() !== ''}
      menuTrigger="input"
      autoFocus={autoFocus}
    >
      {!isLabelHidden && <Label className="ui-label">{label}</Label>}
      <Input className="ui-input" placeholder={placeholder} />
      <PopoverSurface>
        <ListBox
          className="ui-list"
          renderEmptyState={() => <div className="ui-list-empty">{isLoading ? 'Searching…' : emptyText}</div>}
        >
          {(item: ComboBoxItem) => (
            <ListBoxItem id={item.id} textValue={item.label} className="ui-item">
              {item.icon}
              <span>{item.label}</span>
              {item.note !== undefined && <span className="ui-item-note">{item.note}</span>}
            </ListBoxItem>
          )}
        </ListBox>
      </PopoverSurface>
    </AriaComboBox>
  );
}
