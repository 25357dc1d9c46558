/** Rules. */
export function RulesView() {
  return <p>Rules.</p>;
}
