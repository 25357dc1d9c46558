import { useState } from 'react';
import type { DeliveryBatch } from '../../api/deliveries.ts';
import { countSelected, type Selection } from '../../library/selection.ts';
import { plural } from '../../ui/format.ts';
import { BatchDialog } from './batch-dialog.tsx';
import { DeliverDialog } from './deliver-dialog.tsx';
import type { DeliverTarget } from './deliver-draft.ts';

/** Delivers what is selected: asks where to and how, and shows how far it is. */
export function DeliverPanel({ selection, onClose }: { readonly selection: Selection; readonly onClose: () => void }) {
  // What is sent stays what it was when the dialog was opened.
  const [chosen] = useState(selection);
  const [batch, setBatch] = useState<DeliveryBatch['batch']>();
  const target: DeliverTarget =
    chosen.kind === 'everything'
      ? { kind: 'everything', filter: chosen.filter }
      : { kind: 'assets', ids: [...chosen.ids] };
  if (batch !== undefined) return <BatchDialog batch={batch} onClose={onClose} />;
  return (
    <DeliverDialog
      title={`Deliver ${plural(countSelected(chosen), 'asset')}`}
      count={countSelected(chosen)}
      target={target}
      onSent={setBatch}
      onClose={onClose}
    />
  );
}
