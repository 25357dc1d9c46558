import { Section } from '../app/section.tsx';

/** What an administrator of the organization looks after. */
export function AdminScreen() {
  return (
    <Section
      title="Admin"
      pages={[
        { to: '/admin', label: 'API keys' },
        { to: '/admin/webhooks', label: 'Webhooks' },
        { to: '/admin/taxonomy', label: 'Taxonomy' },
        { to: '/admin/roster', label: 'Roster' },
        { to: '/admin/usage', label: 'Usage' },
      ]}
    />
  );
}
