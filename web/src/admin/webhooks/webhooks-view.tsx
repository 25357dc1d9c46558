import { useSearch } from '@tanstack/react-router';
import { AdminOnly } from '../admin-only.tsx';
import { WebhookDetail } from './webhook-detail.tsx';
import { WebhookList } from './webhook-list.tsx';
import './webhooks.css';

/** Webhooks: the list of them, or the one that the address names with its log. */
export function WebhooksView() {
  const { webhook } = useSearch({ from: '/admin/webhooks' });
  const id = Number(webhook);
  return (
    <AdminOnly what="webhooks">
      {Number.isInteger(id) && id > 0 ? <WebhookDetail key={id} id={id} /> : <WebhookList />}
    </AdminOnly>
  );
}
