import { Settings2 } from 'lucide-react';
import { useState } from 'react';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { IconButton } from '../ui/icon-button.tsx';
import { Kbd } from '../ui/kbd.tsx';
import { TextField } from '../ui/text-field.tsx';
import { DEFAULT_HOTKEYS, type Hotkey, problemOf, withHotkey, withoutHotkey } from './hotkeys.ts';

/** The types that can be logged, each with its key; a press of either does it. */
export function HotkeyBar({
  hotkeys,
  onLog,
  onChange,
}: {
  readonly hotkeys: readonly Hotkey[];
  readonly onLog: (hotkey: Hotkey) => void;
  readonly onChange: (hotkeys: readonly Hotkey[]) => void;
}) {
  const [isOpen, setOpen] = useState(false);
  return (
    <div className="actions-keys" role="toolbar" aria-label="Log an action">
      {hotkeys.map((hotkey) => (
        <Button key={hotkey.type} size="s" className="actions-key" onPress={() => onLog(hotkey)}>
          {hotkey.label} <Kbd keys={hotkey.key} />
        </Button>
      ))}
      <IconButton icon={Settings2} size="s" label="Choose types and keys" onPress={() => setOpen(true)} />
      <Dialog
        title="Types and keys"
        isOpen={isOpen}
        onClose={() => setOpen(false)}
        footer={
          <>
            <Button tone="quiet" onPress={() => onChange(DEFAULT_HOTKEYS)}>
              Back to the usual ones
            </Button>
            <Button tone="primary" onPress={() => setOpen(false)}>
              Done
            </Button>
          </>
        }
      >
        <HotkeyForm hotkeys={hotkeys} onChange={onChange} />
      </Dialog>
    </div>
  );
}

const PROBLEMS = {
  reserved: 'That key moves the video or sets marks. Choose another one.',
  taken: 'Another type has that key. Choose another one, or remove that type first.',
  'not one key': 'Expected one letter or digit.',
};

function HotkeyForm({
  hotkeys,
  onChange,
}: {
  readonly hotkeys: readonly Hotkey[];
  readonly onChange: (hotkeys: readonly Hotkey[]) => void;
}) {
  const [label, setLabel] = useState('');
  const [key, setKey] = useState('');
  const type = label
    .trim()
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, '_');
  const problem = key === '' ? undefined : problemOf(hotkeys, { key, type });
  const add = () => {
    onChange(withHotkey(hotkeys, { key, type, label: label.trim() }));
    setLabel('');
    setKey('');
  };
  return (
    <div className="video-form">
      <p className="quiet">
        A type is one that the library knows by its key, such as throw-in, or the name of a tag option of the category
        “action type”. The choice is kept in this browser.
      </p>
      <ul className="video-players">
        {hotkeys.map((hotkey) => (
          <li key={hotkey.type}>
            <Kbd keys={hotkey.key} /> {hotkey.label}
            <span className="video-spread" />
            <Button size="s" tone="quiet" onPress={() => onChange(withoutHotkey(hotkeys, hotkey.type))}>
              Remove<span className="visually-hidden"> {hotkey.label}</span>
            </Button>
          </li>
        ))}
      </ul>
      <form
        className="video-form"
        onSubmit={(event) => {
          event.preventDefault();
          if (type !== '' && key !== '' && problem === undefined) add();
        }}
      >
        <div className="video-form-pair">
          <TextField label="Type" placeholder="Throw-in" value={label} onChange={setLabel} />
          <TextField
            label="Key"
            maxLength={1}
            value={key}
            onChange={setKey}
            error={problem === undefined ? undefined : PROBLEMS[problem]}
          />
        </div>
        <Button type="submit" isDisabled={type === '' || key === '' || problem !== undefined}>
          Add
        </Button>
      </form>
    </div>
  );
}
