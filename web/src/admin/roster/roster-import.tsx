import { FileUp, RotateCcw } from 'lucide-react';
import { useState } from 'react';
import { DropZone, FileTrigger, isFileDropItem } from 'react-aria-components';
import { ProblemNote } from '../../app/problem-view.tsx';
import { Button } from '../../ui/button.tsx';
import { plural } from '../../ui/format.ts';
import { TextField } from '../../ui/text-field.tsx';
import { CsvRoster } from './csv-roster.tsx';
import { readRoster, readRosterFile, type RosterFile } from './roster-file.ts';
import { RosterSend } from './roster-send.tsx';

type Chosen = { readonly name: string; readonly file: RosterFile };

/** A file is chosen, dropped or pasted; mapped where it is CSV; tried; and taken in. */
export function RosterImport() {
  const [chosen, setChosen] = useState<Chosen>();
  const [fault, setFault] = useState<unknown>();
  const take = async (name: string, read: () => RosterFile | Promise<RosterFile>) => {
    setFault(undefined);
    try {
      setChosen({ name, file: await read() });
    } catch (error) {
      setFault(error);
    }
  };
  if (!chosen) return <Choose fault={fault} onTake={(name, read) => void take(name, read)} />;
  const { name, file } = chosen;
  return (
    <div className="roster">
      <p className="roster-chosen">
        <span>
          <b>{name}</b>:{' '}
          {file.kind === 'lines' ? plural(file.items.length, 'line') : plural(file.csv.rows.length, 'row')},{' '}
          {file.kind === 'lines' ? 'JSON in each line' : 'CSV'}
        </span>
        <Button size="s" onPress={() => setChosen(undefined)}>
          <RotateCcw aria-hidden /> Another file
        </Button>
      </p>
      {file.kind === 'csv' ? <CsvRoster csv={file.csv} /> : <RosterSend items={file.items} faults={[]} />}
    </div>
  );
}

function Choose({
  fault,
  onTake,
}: {
  readonly fault: unknown;
  readonly onTake: (name: string, read: () => RosterFile | Promise<RosterFile>) => void;
}) {
  const [text, setText] = useState('');
  const takeFile = (file: File | undefined) => {
    if (file) onTake(file.name, () => readRosterFile(file));
  };
  return (
    <div className="roster">
      <DropZone
        className="roster-zone"
        aria-label="Drop a roster here"
        onDrop={({ items }) => {
          const item = items.find(isFileDropItem);
          if (item) void item.getFile().then(takeFile);
        }}
      >
        <FileUp aria-hidden />
        <p>Drop a roster here: CSV from a spreadsheet, or JSON in each line (NDJSON)</p>
        <FileTrigger
          acceptedFileTypes={['.csv', '.tsv', '.txt', '.ndjson', '.jsonl', '.json', 'text/csv', 'application/x-ndjson']}
          onSelect={(files) => takeFile(files?.[0])}
        >
          <Button tone="primary">Choose a file</Button>
        </FileTrigger>
        <p className="quiet">
          Players, clubs, matches and whatever else is tagged, up to 50,000 at a time. What is there already is found by
          its ID in your system and changed. A trial says of each line what would become of it, and changes nothing.
        </p>
      </DropZone>
      <TextField
        label="Or paste it"
        isMultiline
        placeholder={'id,name,number,club\np501,Ada Okafor,9,Kestrel Bay'}
        value={text}
        onChange={setText}
        className="roster-paste"
      />
      <div>
        <Button isDisabled={text.trim() === ''} onPress={() => onTake('Pasted text', () => readRoster(text))}>
          Go on with the text
        </Button>
      </div>
      <ProblemNote error={fault} />
    </div>
  );
}
