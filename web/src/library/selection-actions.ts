import { Download, type LucideIcon, Send, Tag } from 'lucide-react';
import { type ComponentType, lazy } from 'react';
import type { Scope } from '../api/me.ts';
import type { Selection } from './selection.ts';

/** Something that is done with the selected assets. It is a button of the selection bar. */
export type SelectionAction = {
  readonly id: string;
  /** In the imperative: `Tag`, `Deliver`, `Download`. */
  readonly label: string;
  readonly icon: LucideIcon;
  /** A shortcut while something is selected. */
  readonly keys?: string;
  /** Keys without it do not see the button. */
  readonly scope: Scope;
  /** Shown when the button is pressed, until it calls `onClose`: a dialog, or nothing where the work needs no question. */
  readonly Panel: ComponentType<{ readonly selection: Selection; readonly onClose: () => void }>;
};

/** In the order of the buttons. A new one is added here; its panel is loaded when it is needed (`lazy`). */
export const SELECTION_ACTIONS: readonly SelectionAction[] = [
  {
    id: 'tag',
    label: 'Tag',
    icon: Tag,
    keys: 't',
    scope: 'media.write',
    Panel: lazy(async () => {
      const { BulkTagPanel } = await import('../tags/bulk-tag-panel.tsx');
      return { default: BulkTagPanel };
    }),
  },
  {
    id: 'deliver',
    label: 'Deliver',
    icon: Send,
    keys: 'd',
    scope: 'delivery.run',
    Panel: lazy(async () => {
      const { DeliverPanel } = await import('../deliver/deliveries/deliver-panel.tsx');
      return { default: DeliverPanel };
    }),
  },
  {
    id: 'download',
    label: 'Download',
    icon: Download,
    keys: 'shift+d',
    scope: 'media.read',
    Panel: lazy(async () => {
      const { DownloadPanel } = await import('../deliver/deliveries/download-panel.tsx');
      return { default: DownloadPanel };
    }),
  },
];
