import { useState } from 'react';
import { type Rule, useRuleWrites } from '../../api/rules.ts';
import { useDiscardGuard } from '../../app/discard-guard.tsx';
import { fieldError, fieldErrorBelow } from '../../app/field-errors.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Switch } from '../../ui/switch.tsx';
import { TextField } from '../../ui/text-field.tsx';
import { Choices } from '../choices.tsx';
import { FormProblem } from '../form-problem.tsx';
import { DryRun } from './dry-run.tsx';
import { draftOfRule, newRule, type RuleDraft, ruleBodyOf, rulePatchOf, triedOf } from './rule-draft.ts';
import { RuleFilterField } from './rule-filter-field.tsx';
import { filterOfDraft } from './rule-filter.ts';
import { RuleSteps } from './rule-steps.tsx';
import { EVENTS } from './rule-words.ts';

const FORM = 'rule-form';
/** Members whose faults are said at their fields. */
const FIELDS =
  /^\/(name|on|filter.*|then|then\/\d+\/(destination_id|webhook_id|tag_option_ids|usage_at|lead_ms|lag_ms|rendition\/params))$/;

/** Makes a rule, or changes one; what it would have done can be seen before it is saved. */
export function RuleEditor({ rule, onClose }: { readonly rule: Rule | undefined; readonly onClose: () => void }) {
  const [draft, setDraft] = useState<RuleDraft>(() => (rule ? draftOfRule(rule) : newRule()));
  const { create, change } = useRuleWrites();
  const error = create.error ?? change.error;
  const isPending = create.isPending || change.isPending;
  const [initial] = useState(draft);
  const { close, question } = useDiscardGuard(JSON.stringify(draft) !== JSON.stringify(initial), onClose);
  const built = filterOfDraft(draft.filter);
  const canTry = 'filter' in built && draft.on.length > 0 && draft.steps.length > 0;
  const eventFault = fieldError(error, '/on') ?? (draft.on.length === 0 ? 'Choose one at least.' : undefined);
  const edit = (part: (draft: RuleDraft) => Partial<RuleDraft>) => {
    // What was refused may be right now.
    if (error !== null) {
      create.reset();
      change.reset();
    }
    setDraft((now) => ({ ...now, ...part(now) }));
  };
  const save = async () => {
    if (isPending || 'problem' in built) return;
    try {
      if (rule) {
        const body = rulePatchOf(draft, built.filter, rule);
        if (Object.keys(body).length > 0) await change.mutateAsync({ id: rule.id, body, version: rule.version });
      } else await create.mutateAsync(ruleBodyOf(draft, built.filter));
      onClose();
    } catch {
      // The form says what is wrong.
      document.querySelector(`#${FORM}`)?.scrollIntoView({ block: 'start' });
    }
  };
  return (
    <Dialog
      title={rule ? `Change ${rule.name}` : 'New rule'}
      isOpen
      width="l"
      onClose={close}
      footer={
        <>
          <div className="rule-on">
            <Switch isSelected={draft.enabled} onChange={(enabled) => edit(() => ({ enabled }))}>
              On
            </Switch>
          </div>
          <Button onPress={close}>Cancel</Button>
          <Button tone="primary" type="submit" form={FORM} isPending={isPending}>
            {rule ? 'Save' : 'Create the rule'}
          </Button>
        </>
      }
    >
      <form
        id={FORM}
        className="rule-form"
        onSubmit={(event) => {
          event.preventDefault();
          void save();
        }}
      >
        <FormProblem error={error} fields={FIELDS} />
        <TextField
          label="Name"
          autoFocus={!rule}
          value={draft.name}
          onChange={(name) => edit(() => ({ name }))}
          isRequired
          error={fieldError(error, '/name')}
        />
        <section className="rule-part" aria-label="When">
          <h3>When</h3>
          <Choices
            label="Something happens to an asset"
            options={EVENTS}
            chosen={draft.on}
            onChange={(on) => edit(() => ({ on }))}
          />
          {eventFault !== undefined && (
            <p className="ui-field-error" role="alert">
              {eventFault}
            </p>
          )}
        </section>
        <section className="rule-part" aria-label="Which assets">
          <h3>And the asset is one of these</h3>
          <RuleFilterField
            draft={draft.filter}
            onChange={(next) => edit((now) => ({ filter: next(now.filter) }))}
            error={fieldErrorBelow(error, '/filter')}
          />
        </section>
        <section className="rule-part" aria-label="What is done">
          <h3>Then</h3>
          <RuleSteps
            steps={draft.steps}
            filter={'filter' in built ? built.filter : {}}
            onChange={(next) => edit((now) => ({ steps: next(now.steps) }))}
            error={error}
          />
        </section>
        <DryRun rule={canTry ? triedOf(draft, built.filter) : undefined} />
      </form>
      {question}
    </Dialog>
  );
}
