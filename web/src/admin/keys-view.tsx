/** API keys. */
export function KeysView() {
  return <p>API keys.</p>;
}
