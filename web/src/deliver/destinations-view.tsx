/** Destinations. */
export function DestinationsView() {
  return <p>Destinations.</p>;
}
