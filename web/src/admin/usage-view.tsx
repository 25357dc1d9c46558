/** Usage. */
export function UsageView() {
  return <p>Usage.</p>;
}
