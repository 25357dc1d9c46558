import { Ellipsis, KeyRound, Pause, RotateCcw, Trash2 } from 'lucide-react';
import type { Webhook } from '../../api/webhooks.ts';
import { Button } from '../../ui/button.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { Menu, type MenuEntry } from '../../ui/menu.tsx';

export type WebhookAction = 'edit' | 'rotate' | 'replay' | 'delete';

/** What can be done with a webhook. */
export function WebhookActions({
  webhook,
  isPinging,
  onPing,
  onAction,
  onDisable,
}: {
  readonly webhook: Webhook;
  readonly isPinging: boolean;
  readonly onPing: () => void;
  readonly onAction: (action: WebhookAction) => void;
  readonly onDisable: () => void;
}) {
  const isActive = webhook.status === 'active';
  const entries: readonly MenuEntry[] = [
    { id: 'rotate', label: 'New secret…', icon: KeyRound, onAction: () => onAction('rotate') },
    {
      id: 'replay',
      label: 'Send all kept events again…',
      icon: RotateCcw,
      isDisabled: !isActive,
      onAction: () => onAction('replay'),
    },
    { id: 'disable', label: 'Disable', icon: Pause, isDisabled: !isActive, onAction: onDisable },
    {
      id: 'delete',
      label: 'Delete…',
      icon: Trash2,
      isDanger: true,
      startsGroup: true,
      onAction: () => onAction('delete'),
    },
  ];
  return (
    <div className="admin-buttons">
      <Button isPending={isPinging} onPress={onPing}>
        Send a test
      </Button>
      <Button onPress={() => onAction('edit')}>Change…</Button>
      <Menu
        label="More"
        placement="bottom end"
        trigger={<IconButton icon={Ellipsis} label="More" tone="plain" />}
        entries={entries}
      />
    </div>
  );
}
