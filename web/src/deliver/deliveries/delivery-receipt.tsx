import type { Delivery } from '../../api/deliveries.ts';
import type { Destination } from '../../api/destinations.ts';
import { Facts } from '../../ui/facts.tsx';
import { formatBytes, formatCount } from '../../ui/format.ts';
import { formatMoment } from '../../ui/when.ts';
import { targetAddress } from './target-address.ts';
import { VERIFIED_WORDS } from './words.ts';

/** What the target has, and how that is known. */
export function DeliveryReceipt({
  receipt,
  destination,
}: {
  readonly receipt: NonNullable<Delivery['receipt']>;
  readonly destination: Destination | undefined;
}) {
  const address = destination ? targetAddress(destination, receipt.path) : '';
  const { bytes, metadata_embedded: embedded } = receipt;
  return (
    <section aria-label="Receipt" className="deliver-receipt">
      <h3>Receipt</h3>
      <Facts
        layout="rows"
        facts={[
          ['At the target', <code key="path">{address === '' ? receipt.path : address}</code>],
          ['Size', bytes < 1000 ? formatBytes(bytes) : `${formatBytes(bytes)} (${formatCount(bytes)} bytes)`],
          ['SHA-256', <code key="sha256">{receipt.sha256}</code>],
          ['Verified', VERIFIED_WORDS[receipt.verified]],
          ['When', formatMoment(receipt.finished_at)],
          ['Sidecar', receipt.sidecar_path !== undefined && <code key="sidecar">{receipt.sidecar_path}</code>],
          [
            'Metadata',
            embedded !== undefined &&
              (embedded ? 'Written into the copy' : 'Not written: files of this format are never altered'),
          ],
          ['ETag', receipt.etag !== undefined && <code key="etag">{receipt.etag}</code>],
          ['Version', receipt.version !== undefined && <code key="version">{receipt.version}</code>],
          ['Checksum of the target', receipt.checksum !== undefined && <code key="sum">{receipt.checksum}</code>],
        ]}
      />
    </section>
  );
}
