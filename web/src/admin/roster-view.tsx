/** Roster. */
export function RosterView() {
  return <p>Roster.</p>;
}
