import { useQuery, useQueryClient } from '@tanstack/react-query';
import type { Filter } from '../../api/media-search.ts';
import { tagQuery } from '../../api/tags.ts';
import { webhooksQuery } from '../../api/webhooks.ts';
import { fieldError } from '../../app/field-errors.ts';
import { TagField } from '../../tags/tag-field.tsx';
import { Select } from '../../ui/select.tsx';
import { TagGroup } from '../../ui/tag-group.tsx';
import { TextField } from '../../ui/text-field.tsx';
import { DeliverFields } from './deliver-fields.tsx';
import { DestinationSelect } from './destination-select.tsx';
import type { ClipShape, Step, Usage } from './rule-draft.ts';
import { USAGES } from './rule-words.ts';
import { useNames } from './use-names.ts';

const SHAPES: readonly { readonly value: ClipShape; readonly label: string }[] = [
  { value: 'original', label: 'As it is' },
  { value: '16:9', label: '16:9, landscape' },
  { value: '1:1', label: '1:1, square' },
  { value: '9:16', label: '9:16, story' },
];
const HEIGHTS = [
  { value: '', label: 'Full' },
  { value: '1080', label: '1080 px' },
  { value: '720', label: '720 px' },
  { value: '480', label: '480 px' },
];
const SECOND_MS = 1000;

type StepOf<Kind extends Step['do']> = Extract<Step, { readonly do: Kind }>;
type Fields<Kind extends Step['do']> = {
  readonly step: StepOf<Kind>;
  readonly onChange: (step: Step) => void;
  /** Of the step in the body, such as `/then/0`. */
  readonly pointer: string;
  /** Of the rule. */
  readonly filter: Filter;
  readonly error: unknown;
};

/** The fields of one step, by what it does. */
export function StepFields({ step, ...rest }: Omit<Fields<never>, 'step'> & { readonly step: Step }) {
  switch (step.do) {
    case 'deliver':
      return <DeliverFields step={step} {...rest} />;
    case 'add_tags':
    case 'remove_tags':
      return <TagFields step={step} {...rest} />;
    case 'set_usage':
      return <UsageFields step={step} {...rest} />;
    case 'webhook':
      return <WebhookFields step={step} {...rest} />;
    case 'clip':
      return <ClipFields step={step} {...rest} />;
  }
}

function TagFields({ step, onChange, pointer, error }: Fields<'add_tags' | 'remove_tags'>) {
  const client = useQueryClient();
  const ids = step.tag_option_ids;
  const names = useNames(ids);
  const problem = fieldError(error, `${pointer}/tag_option_ids`);
  return (
    <div className="rule-step-fields">
      <TagField
        label="Tag"
        placeholder="Player, club, match, sponsor…"
        onChoose={({ id }) => {
          void client.prefetchQuery(tagQuery(id));
          onChange({ ...step, tag_option_ids: [...ids.filter((one) => one !== id), id] });
        }}
      />
      <div className="ui-field">
        <TagGroup
          label="Tags of this step"
          tags={ids.map((id) => ({ id, label: names.tag(id) }))}
          onRemove={(id) => onChange({ ...step, tag_option_ids: ids.filter((one) => one !== id) })}
          empty={<span className="quiet">None yet.</span>}
        />
        {problem !== undefined && <p className="ui-field-error">{problem}</p>}
      </div>
    </div>
  );
}

/** As an input of date and time writes it, in the reader's zone. */
function localTime(at: string | null | undefined): string {
  if (at === null || at === undefined) return '';
  const time = new Date(at);
  return new Date(time.getTime() - time.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}

function UsageFields({ step, onChange, pointer, error }: Fields<'set_usage'>) {
  const needsTime = step.usage === 'embargoed' || step.usage === 'expired';
  const change = (usage: Usage) => onChange({ do: 'set_usage', usage });
  return (
    <div className="rule-step-fields">
      <Select label="Usage" options={USAGES} value={step.usage} onChange={change} />
      {needsTime && (
        <TextField
          label={step.usage === 'embargoed' ? 'Until' : 'After'}
          type="datetime-local"
          value={localTime(step.usage_at)}
          onChange={(text) => onChange({ ...step, usage_at: text === '' ? null : new Date(text).toISOString() })}
          error={fieldError(error, `${pointer}/usage_at`)}
        />
      )}
    </div>
  );
}

function WebhookFields({ step, onChange, pointer, error }: Fields<'webhook'>) {
  const { data } = useQuery(webhooksQuery);
  const problem = fieldError(error, `${pointer}/webhook_id`);
  if (data?.length === 0) return <p className="quiet">There is no webhook yet: make one below Admin.</p>;
  return (
    <div className="rule-step-fields">
      <div className="ui-field">
        <Select
          label="Webhook"
          options={(data ?? []).map(({ id, name }) => ({ value: String(id), label: name }))}
          value={step.webhook_id === undefined ? '' : String(step.webhook_id)}
          onChange={(id) => onChange({ ...step, webhook_id: Number(id) })}
          isInvalid={problem !== undefined}
        />
        {problem !== undefined && <p className="ui-field-error">{problem}</p>}
      </div>
    </div>
  );
}

function ClipFields({ step, onChange, pointer, error }: Fields<'clip'>) {
  const margin = (name: 'lead_ms' | 'lag_ms', label: string) => (
    <TextField
      label={label}
      inputMode="numeric"
      value={step[name] === undefined ? '' : String(step[name] / SECOND_MS)}
      onChange={(text) => {
        const seconds = text.replaceAll(/\D/g, '');
        onChange({ ...step, [name]: seconds === '' ? undefined : Number(seconds) * SECOND_MS });
      }}
      placeholder="As its type has it"
      error={fieldError(error, `${pointer}/${name}`)}
    />
  );
  return (
    <div className="rule-step-fields">
      <Select
        label="Shape"
        options={SHAPES}
        value={step.aspect ?? 'original'}
        onChange={(aspect) => onChange({ ...step, aspect })}
      />
      <Select
        label="Height"
        options={HEIGHTS}
        value={step.height === undefined ? '' : String(step.height)}
        onChange={(height) => onChange({ ...step, height: height === '' ? undefined : Number(height) })}
      />
      {margin('lead_ms', 'Seconds shown before')}
      {margin('lag_ms', 'Seconds shown after')}
      <DestinationSelect
        label="Deliver it to"
        none="Nowhere: it stays a clip to download"
        value={step.destination_id}
        onChange={(id) => onChange({ ...step, destination_id: id })}
        error={fieldError(error, `${pointer}/destination_id`)}
      />
      <p className="ui-hint">Only on events of actions.</p>
    </div>
  );
}
