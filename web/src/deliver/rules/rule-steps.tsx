import { ArrowDown, ArrowUp, Plus, X } from 'lucide-react';
import type { Filter } from '../../api/media-search.ts';
import { fieldError } from '../../app/field-errors.ts';
import { Button } from '../../ui/button.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { Menu } from '../../ui/menu.tsx';
import { keyed, newStep, type Step, type StepDraft } from './rule-draft.ts';
import { STEP_KINDS } from './rule-words.ts';
import { StepFields } from './step-fields.tsx';

const MAX_STEPS = 10;

/** What is done, one step after the other. */
export function RuleSteps({
  steps,
  onChange,
  filter,
  error,
}: {
  readonly steps: readonly StepDraft[];
  readonly onChange: (change: (steps: readonly StepDraft[]) => readonly StepDraft[]) => void;
  /** Of the rule. */
  readonly filter: Filter;
  readonly error: unknown;
}) {
  const change = (key: number, step: Step) =>
    onChange((now) => now.map((one) => (one.key === key ? { key, step } : one)));
  const move = (index: number, by: -1 | 1) =>
    onChange((now) => {
      const [moved] = now.slice(index, index + 1);
      const others = now.filter((_one, at) => at !== index);
      return moved ? [...others.slice(0, index + by), moved, ...others.slice(index + by)] : now;
    });
  return (
    <div className="rule-steps">
      <ol>
        {steps.map(({ key, step }, index) => {
          const label = STEP_KINDS.find(({ value }) => value === step.do)?.label ?? step.do;
          const name = `Step ${index + 1}: ${label}`;
          return (
            <li key={key} className="rule-step" aria-label={name}>
              <div className="rule-step-head">
                <h4>
                  {index + 1}. {label}
                </h4>
                <IconButton
                  icon={ArrowUp}
                  size="s"
                  label={`Move step ${index + 1} up`}
                  isDisabled={index === 0}
                  onPress={() => move(index, -1)}
                />
                <IconButton
                  icon={ArrowDown}
                  size="s"
                  label={`Move step ${index + 1} down`}
                  isDisabled={index === steps.length - 1}
                  onPress={() => move(index, 1)}
                />
                <IconButton
                  icon={X}
                  size="s"
                  label={`Remove step ${index + 1}`}
                  onPress={() => onChange((now) => now.filter((one) => one.key !== key))}
                />
              </div>
              <StepFields
                step={step}
                onChange={(next) => change(key, next)}
                pointer={`/then/${index}`}
                filter={filter}
                error={error}
              />
            </li>
          );
        })}
      </ol>
      {steps.length === 0 && (
        <p className="ui-field-error" role="alert">
          {fieldError(error, '/then') ?? 'A rule does one thing at least.'}
        </p>
      )}
      <div>
        <Menu
          label="Add a step"
          trigger={
            <Button size="s" isDisabled={steps.length >= MAX_STEPS}>
              <Plus aria-hidden /> Add a step
            </Button>
          }
          entries={STEP_KINDS.map(({ value, label }) => ({
            id: value,
            label,
            onAction: () => onChange((now) => [...now, keyed(newStep(value))]),
          }))}
        />
      </div>
    </div>
  );
}
