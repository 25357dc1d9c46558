/** Webhooks. */
export function WebhooksView() {
  return <p>Webhooks.</p>;
}
