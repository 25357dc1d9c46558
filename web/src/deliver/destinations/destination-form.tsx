import type { PreviewedDestination } from '../../api/destinations.ts';
import { fieldError } from '../../app/field-errors.ts';
import { RadioGroup } from '../../ui/radio-group.tsx';
import { Select } from '../../ui/select.tsx';
import { Switch } from '../../ui/switch.tsx';
import { TextField } from '../../ui/text-field.tsx';
import { Choices } from '../choices.tsx';
import { DEFAULT_PICTURE, QUALITY_OPTIONS } from '../content.ts';
import { FormProblem } from '../form-problem.tsx';
import { PathList, usePathPreview } from '../path-preview.tsx';
import { TemplateField } from '../template-field.tsx';
import type { DestinationDraft, WindowDay } from './destination-draft.ts';
import { isKnownKind, KINDS } from './destination-kinds.ts';
import { KindFields } from './kind-fields.tsx';

const COLLISIONS = [
  { value: 'skip_same', label: 'Leave it if it is the same, else replace it' },
  { value: 'overwrite', label: 'Replace it' },
  { value: 'suffix', label: 'Give ours a number: photo-2.jpg' },
  { value: 'fail', label: 'Do not deliver ours' },
] as const;
const SIDECARS = [
  { value: 'none', label: 'No file beside it' },
  { value: 'json', label: 'A JSON file beside it' },
  { value: 'xmp', label: 'An XMP file beside it' },
] as const;
const GOES_OUT = [
  { value: 'files', label: 'Files of the asset' },
  { value: 'picture', label: 'A picture made to measure', hint: 'By the parameters of image URLs.' },
] as const;
const DAYS: readonly { readonly value: WindowDay; readonly label: string }[] = [
  { value: 'mon', label: 'Mon' },
  { value: 'tue', label: 'Tue' },
  { value: 'wed', label: 'Wed' },
  { value: 'thu', label: 'Thu' },
  { value: 'fri', label: 'Fri' },
  { value: 'sat', label: 'Sat' },
  { value: 'sun', label: 'Sun' },
];
const CONCURRENCY = Array.from({ length: 16 }, (_, n) => ({ value: String(n + 1), label: String(n + 1) }));

/** Members whose faults are said at their fields. */
const FIELDS =
  /^\/(name|config\/.+|secrets\/.+|path_template|rendition.*|bandwidth_limit|window\/(from|to|time_zone))$/;

type Part = {
  readonly draft: DestinationDraft;
  readonly onChange: (change: Partial<DestinationDraft>) => void;
  readonly error: unknown;
};

/** Everything that can be said of a destination. */
export function DestinationForm({
  hasSecrets,
  preview,
  ...part
}: Part & {
  /** Whether some are kept already. */
  readonly hasSecrets: boolean;
  readonly preview: PreviewedDestination;
}) {
  const { draft, onChange, error } = part;
  const spec = isKnownKind(draft.kind) ? KINDS[draft.kind] : undefined;
  return (
    <div className="destination-form">
      <FormProblem error={error} fields={FIELDS} />
      <section>
        <p className="quiet">{spec?.hint}</p>
        <TextField
          label="Name"
          value={draft.name}
          onChange={(name) => onChange({ name })}
          isRequired
          error={fieldError(error, '/name')}
        />
        <KindFields
          fields={spec?.config ?? []}
          texts={draft.config}
          onChange={(config) => onChange({ config })}
          pointer="/config"
          error={error}
        />
      </section>
      {spec !== undefined && spec.secrets.length > 0 && (
        <section aria-label="Passwords and keys">
          <h3>Passwords and keys</h3>
          <p className="quiet">They are kept encrypted and never shown again.</p>
          {hasSecrets && (
            <Switch isSelected={draft.replacesSecrets} onChange={(replacesSecrets) => onChange({ replacesSecrets })}>
              Replace those that are kept
            </Switch>
          )}
          {draft.replacesSecrets && (
            <KindFields
              fields={spec.secrets}
              texts={draft.secrets}
              onChange={(secrets) => onChange({ secrets })}
              pointer="/secrets"
              error={error}
            />
          )}
        </section>
      )}
      <FilesPart {...part} preview={preview} />
      <PacePart {...part} />
    </div>
  );
}

function FilesPart({ draft, onChange, error, preview }: Part & { readonly preview: PreviewedDestination }) {
  const { pathTemplate: template, qualities, picture } = draft;
  const { paths, problem } = usePathPreview({ template, destination: preview, qualities, picture });
  const goesOut = draft.picture === '' ? 'files' : 'picture';
  return (
    <section aria-label="What goes out">
      <h3>What goes out</h3>
      <RadioGroup
        label="Of each asset, unless a request says otherwise"
        options={GOES_OUT}
        value={goesOut}
        onChange={(next) => onChange({ picture: next === 'files' ? '' : DEFAULT_PICTURE })}
      />
      {goesOut === 'files' ? (
        <Choices
          label="Qualities"
          options={QUALITY_OPTIONS}
          chosen={draft.qualities}
          onChange={(qualities) => onChange({ qualities })}
        />
      ) : (
        <TextField
          label="Parameters"
          value={draft.picture}
          onChange={(picture) => onChange({ picture })}
          error={fieldError(error, '/rendition/params') ?? fieldError(error, '/rendition')}
        />
      )}
      <TemplateField
        label="Path of each file"
        value={draft.pathTemplate}
        onChange={(pathTemplate) => onChange({ pathTemplate })}
        error={fieldError(error, '/path_template') ?? problem}
      />
      <PathList
        paths={paths}
        label="The newest assets of the library would be"
        empty="Upload a photo to see here what path it would get."
      />
      <div className="destination-fields">
        <Select
          label="When a file has the name already"
          options={COLLISIONS}
          value={draft.collision}
          onChange={(collision) => onChange({ collision })}
        />
        <Select
          label="Details"
          options={SIDECARS}
          value={draft.sidecar}
          onChange={(sidecar) => onChange({ sidecar })}
        />
      </div>
      <Switch isSelected={draft.embedMetadata} onChange={(embedMetadata) => onChange({ embedMetadata })}>
        Write texts, tags and credits into the copies
      </Switch>
    </section>
  );
}

function PacePart({ draft, onChange, error }: Part) {
  const { window } = draft;
  return (
    <section aria-label="When, and how fast">
      <h3>When, and how fast</h3>
      <div className="destination-fields">
        <Select
          label="Files at a time"
          options={CONCURRENCY}
          value={draft.concurrency}
          onChange={(concurrency) => onChange({ concurrency })}
        />
        <TextField
          label="Bandwidth limit, MB a second"
          inputMode="decimal"
          value={draft.bandwidth}
          onChange={(bandwidth) => onChange({ bandwidth })}
          placeholder="No limit"
          hint="All its deliveries together."
          error={fieldError(error, '/bandwidth_limit')}
        />
      </div>
      <Switch isSelected={draft.hasWindow} onChange={(hasWindow) => onChange({ hasWindow })}>
        Only at certain hours
      </Switch>
      {draft.hasWindow && (
        <>
          <Choices
            label="Days on which they begin"
            options={DAYS}
            chosen={window.days}
            onChange={(days) => onChange({ window: { ...window, days: [...days] } })}
          />
          <div className="destination-fields">
            <TextField
              label="From"
              type="time"
              value={window.from}
              onChange={(from) => onChange({ window: { ...window, from } })}
              error={fieldError(error, '/window/from')}
            />
            <TextField
              label="To"
              type="time"
              value={window.to}
              onChange={(to) => onChange({ window: { ...window, to } })}
              hint="At or before the start: on the next day."
              error={fieldError(error, '/window/to')}
            />
            <TextField
              label="Time zone"
              value={window.time_zone}
              onChange={(zone) => onChange({ window: { ...window, time_zone: zone } })}
              placeholder="Europe/Berlin"
              error={fieldError(error, '/window/time_zone')}
            />
          </div>
        </>
      )}
      <Switch isSelected={draft.paused} onChange={(paused) => onChange({ paused })}>
        Paused: nothing starts
      </Switch>
    </section>
  );
}
