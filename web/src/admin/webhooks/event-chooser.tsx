import { Checkbox } from '../../ui/checkbox.tsx';
import { Disclosure } from '../../ui/disclosure.tsx';
import { RadioGroup } from '../../ui/radio-group.tsx';
import { EVENT_FAMILIES, EVENT_TYPES, type EventFamily, type EventType } from './event-choice.ts';

type Events = ReadonlySet<EventType>;
const WAYS = [
  { value: 'all', label: 'Everything that happens', hint: 'Also events that later versions add.' },
  { value: 'some', label: 'Only what is chosen' },
] as const;

/** Which events a webhook is told of. */
export function EventChooser({
  isAll,
  events,
  error,
  onChange,
}: {
  readonly isAll: boolean;
  readonly events: Events;
  readonly error: string | undefined;
  readonly onChange: (choice: { readonly isAll: boolean; readonly events: Events }) => void;
}) {
  const toggle = (types: readonly EventType[], isOn: boolean) => {
    const kept = [...events].filter((type) => !types.includes(type));
    onChange({ isAll: false, events: new Set(isOn ? [...kept, ...types] : kept) });
  };
  return (
    <div>
      <RadioGroup
        label="Events"
        options={WAYS}
        value={isAll ? 'all' : 'some'}
        onChange={(way) => onChange({ isAll: way === 'all', events: way === 'all' ? new Set(EVENT_TYPES) : new Set() })}
      />
      {!isAll && (
        <ul className="admin-events" aria-label="Events to choose from">
          {EVENT_FAMILIES.map((family) => (
            <Family key={family.label} family={family} events={events} onToggle={toggle} />
          ))}
        </ul>
      )}
      {error !== undefined && <p className="ui-field-error">{error}</p>}
    </div>
  );
}

function Family({
  family,
  events,
  onToggle,
}: {
  readonly family: EventFamily;
  readonly events: Events;
  readonly onToggle: (types: readonly EventType[], isOn: boolean) => void;
}) {
  const types = family.events.map(({ type }) => type);
  const chosen = types.filter((type) => events.has(type)).length;
  const isWhole = chosen === types.length;
  return (
    <li className="admin-event-family">
      <Checkbox
        aria-label={`All of ${family.label}`}
        isSelected={isWhole}
        isIndeterminate={chosen > 0 && !isWhole}
        onChange={(isOn) => onToggle(types, isOn)}
      />
      <Disclosure
        isInitiallyOpen={chosen > 0 && !isWhole}
        label={
          <>
            {family.label}{' '}
            <span className="quiet">
              {chosen} of {types.length}
            </span>
          </>
        }
      >
        <ul>
          {family.events.map(({ type, meaning }) => (
            <li key={type}>
              <Checkbox isSelected={events.has(type)} onChange={(isOn) => onToggle([type], isOn)}>
                <span>
                  {meaning} <code className="quiet">{type}</code>
                </span>
              </Checkbox>
            </li>
          ))}
        </ul>
      </Disclosure>
    </li>
  );
}
