/** Deliveries. */
export function DeliveriesView() {
  return <p>Deliveries.</p>;
}
