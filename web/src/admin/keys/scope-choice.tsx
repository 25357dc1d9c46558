import type { Scope } from '../../api/me.ts';
import { Checkbox } from '../../ui/checkbox.tsx';
import { Select } from '../../ui/select.tsx';
import { presetOf, presetsWithin, SCOPES } from './scopes.ts';

const OWN_CHOICE = { value: '', label: 'Something else: as chosen below' } as const;

/** What a key may do: by what it is for, or scope by scope. */
export function ScopeChoice({
  own,
  scopes,
  onChange,
}: {
  readonly own: readonly Scope[];
  readonly scopes: readonly Scope[];
  readonly onChange: (scopes: readonly Scope[]) => void;
}) {
  const presets = presetsWithin(own);
  return (
    <>
      <Select
        label="What it is for"
        options={[...presets.map(({ id, label }) => ({ value: id, label })), OWN_CHOICE]}
        value={presetOf(scopes)?.id ?? OWN_CHOICE.value}
        onChange={(id) => onChange(presets.find((preset) => preset.id === id)?.scopes ?? scopes)}
      />
      <fieldset className="admin-scopes">
        <legend className="ui-label">What it may do</legend>
        {SCOPES.map(({ scope, label, hint }) => (
          <Checkbox
            key={scope}
            isSelected={scopes.includes(scope)}
            isDisabled={!own.includes(scope)}
            onChange={(isOn) => onChange(isOn ? [...scopes, scope] : scopes.filter((one) => one !== scope))}
          >
            <span>
              {label} <code className="quiet">{scope}</code>
              <span className="ui-hint ui-choice-hint">
                {own.includes(scope) ? hint : 'Your own key lacks this scope, so it cannot hand it on.'}
              </span>
            </span>
          </Checkbox>
        ))}
      </fieldset>
    </>
  );
}
