import { Section } from '../app/section.tsx';

/** What goes out of the library: what was sent, where to, and by which rules. */
export function DeliverScreen() {
  return (
    <Section
      title="Deliver"
      pages={[
        { to: '/deliver', label: 'Deliveries' },
        { to: '/deliver/destinations', label: 'Destinations' },
        { to: '/deliver/rules', label: 'Rules' },
      ]}
    />
  );
}
