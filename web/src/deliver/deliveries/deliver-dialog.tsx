import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Send } from 'lucide-react';
import { useState } from 'react';
import { newIdempotencyKey, useDeliver } from '../../api/deliveries.ts';
import { type Destination, destinationsQuery } from '../../api/destinations.ts';
import { useHasScope } from '../../api/me.ts';
import { fieldError } from '../../app/field-errors.ts';
import { ProblemNote, ProblemView } from '../../app/problem-view.tsx';
import { Button } from '../../ui/button.tsx';
import { Checkbox } from '../../ui/checkbox.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { plural } from '../../ui/format.ts';
import { Skeleton } from '../../ui/skeleton.tsx';
import { TemplateField } from '../template-field.tsx';
import { ContentFields } from './content-fields.tsx';
import { type DeliverDraft, type DeliverTarget, draftFor, requestOf } from './deliver-draft.ts';
import { DestinationField } from './destination-field.tsx';
import { PlanPreview } from './plan-preview.tsx';
import { SettingFields } from './setting-fields.tsx';
import { useDeliveryPlan } from './use-delivery-plan.ts';
import '../deliver.css';

/** Files of one request, as the service has it. */
const MAX_FILES = 10_000;

type DialogProps = {
  readonly title: string;
  readonly count: number;
  readonly target: DeliverTarget;
  readonly onSent: (batch: string) => void;
  readonly onClose: () => void;
};

/** Chosen last on this page: mostly one sends to the same place again. */
let lastDestination: number | undefined;

/** Asks where assets go and how, shows the paths that they get there, and sends them. */
export function DeliverDialog(props: DialogProps) {
  const { data: destinations, error, refetch } = useQuery(destinationsQuery);
  const isAdmin = useHasScope('admin');
  const [first] = destinations ?? [];
  if (destinations && first) {
    const last = destinations.find(({ id }) => id === lastDestination);
    return <DeliverForm {...props} destinations={destinations} initial={last ?? first} />;
  }
  return (
    <Dialog title={props.title} isOpen onClose={props.onClose} width="l">
      {error ? (
        <ProblemView error={error} onRetry={() => void refetch()} />
      ) : destinations ? (
        <EmptyState
          icon={Send}
          title="There is nowhere to deliver to yet"
          actions={
            isAdmin && (
              <Link to="/deliver/destinations" className="ui-button ui-button-primary" onClick={props.onClose}>
                Make a destination
              </Link>
            )
          }
        >
          {isAdmin
            ? 'A destination is a folder, an object store or a server that files go to.'
            : 'An administrator makes destinations: folders, object stores, servers.'}
        </EmptyState>
      ) : (
        <Skeleton height={320} />
      )}
    </Dialog>
  );
}

function DeliverForm({
  title,
  count,
  target,
  destinations,
  initial,
  onSent,
  onClose,
}: DialogProps & { readonly destinations: readonly Destination[]; readonly initial: Destination }) {
  const [draft, setDraft] = useState<DeliverDraft>(() => draftFor(initial.id));
  // Sent again after an answer that was lost, the same request is delivered once.
  const [idempotencyKey, setIdempotencyKey] = useState(newIdempotencyKey);
  const isAdmin = useHasScope('admin');
  const deliver = useDeliver();
  const destination = destinations.find(({ id }) => id === draft.destinationId) ?? initial;
  const isTooMany = count > MAX_FILES;
  const request = isTooMany ? undefined : requestOf(draft, target);
  const { plan, error: planError, isStale, isSample } = useDeliveryPlan(request, count);
  const problem = deliver.error ?? planError;
  const errorAt = (pointer: string) => fieldError(problem, pointer);
  const hasOwnTemplate = draft.template !== undefined && draft.template !== destination.path_template;
  const fields = { template: errorAt('/path_template'), recipe: errorAt('/rendition/params') };
  const change = (part: Partial<DeliverDraft>) => {
    deliver.reset();
    setIdempotencyKey(newIdempotencyKey());
    setDraft({ ...draft, ...part });
  };
  const send = () => {
    if (!request) return;
    lastDestination = destination.id;
    const onSuccess = ({ batch }: { readonly batch: string | null }) => {
      if (batch !== null) onSent(batch);
    };
    deliver.mutate({ body: request, idempotencyKey }, { onSuccess });
  };
  const codes = new Set(plan?.deliveries.map(({ failure }) => failure?.code));
  const canSend = plan !== undefined && plan.queued > 0 && !isStale && !isSample && planError === null;
  return (
    <Dialog
      title={title}
      isOpen
      onClose={onClose}
      width="l"
      footer={
        <Button tone="primary" isDisabled={!canSend} isPending={deliver.isPending} onPress={send}>
          <Send aria-hidden /> {plan && plan.queued > 0 && !isSample ? `Send ${plural(plan.queued, 'file')}` : 'Send'}
        </Button>
      }
    >
      <div className="deliver-form">
        <div className="deliver-fields">
          <DestinationField
            destinations={destinations}
            value={destination}
            onChange={(destinationId) => change({ destinationId, template: undefined })}
          />
          <ContentFields draft={draft} destination={destination} recipeError={fields.recipe} onChange={change} />
          <TemplateField
            label="Path"
            value={draft.template ?? destination.path_template}
            error={fields.template}
            onChange={(template) => change({ template })}
            onReset={hasOwnTemplate ? () => change({ template: undefined }) : undefined}
          />
          <SettingFields draft={draft} destination={destination} onChange={change} />
          {(draft.again || codes.has('duplicate')) && (
            <Checkbox isSelected={draft.again} onChange={(again) => change({ again })}>
              Also what was delivered there before
            </Checkbox>
          )}
          {isAdmin && (draft.includeRestricted || codes.has('media_restricted')) && (
            <Checkbox
              isSelected={draft.includeRestricted}
              onChange={(includeRestricted) => change({ includeRestricted })}
            >
              Also assets that are limited, embargoed or expired
            </Checkbox>
          )}
        </div>
        <div className="deliver-outcome">
          {isTooMany && (
            <p role="alert" className="deliver-note deliver-note-danger">
              At most {MAX_FILES.toLocaleString('en')} files go out in one request. Narrow the search or select fewer.
            </p>
          )}
          {fields.template === undefined && fields.recipe === undefined && <ProblemNote error={problem} />}
          <PlanPreview
            plan={plan}
            isStale={isStale}
            isSample={isSample}
            hasProblem={problem !== null || request === undefined}
          />
        </div>
      </div>
    </Dialog>
  );
}
