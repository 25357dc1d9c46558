import { Plus, RotateCcw } from 'lucide-react';
import { useRef } from 'react';
import { Button } from '../ui/button.tsx';
import { Menu } from '../ui/menu.tsx';
import { TextField } from '../ui/text-field.tsx';
import { COMMON_TOKENS, FILTER_TOKENS, insertAt, OTHER_TOKENS, type TemplateToken } from './template-tokens.ts';
import './template-field.css';

/** The template of the paths, with values to put in where the caret is. */
export function TemplateField({
  label,
  value,
  error,
  onChange,
  onReset,
}: {
  readonly label: string;
  readonly value: string;
  readonly error: string | undefined;
  readonly onChange: (template: string) => void;
  /** Where it is another one than that of the destination: takes that again. */
  readonly onReset?: (() => void) | undefined;
}) {
  const input = useRef<HTMLInputElement>(null);
  const insert = ({ token }: TemplateToken) => {
    const field = input.current;
    const start = field?.selectionStart ?? value.length;
    const inserted = insertAt(value, token, { start, end: field?.selectionEnd ?? start });
    onChange(inserted.text);
    // The caret is put behind it when the new text is in the field.
    requestAnimationFrame(() => field?.setSelectionRange(inserted.caret, inserted.caret));
  };
  const others = [...OTHER_TOKENS, ...FILTER_TOKENS].map((one) => ({
    id: one.token,
    label: `${one.label}  ${one.token}`,
    startsGroup: one === FILTER_TOKENS[0],
    onAction: () => insert(one),
  }));
  return (
    <div className="template">
      <TextField
        label={label}
        value={value}
        onChange={onChange}
        error={error}
        inputRef={input}
        spellCheck="false"
        className="template-text"
      />
      <div className="template-tokens" role="group" aria-label="Put into the path">
        {COMMON_TOKENS.map((one) => (
          <Button key={one.token} size="s" onPress={() => insert(one)}>
            {one.label}
          </Button>
        ))}
        <Menu
          label="More values"
          trigger={
            <Button size="s" tone="quiet">
              <Plus aria-hidden /> More
            </Button>
          }
          entries={others}
        />
        {onReset && (
          <Button size="s" tone="quiet" onPress={onReset}>
            <RotateCcw aria-hidden /> That of the destination
          </Button>
        )}
      </div>
    </div>
  );
}
