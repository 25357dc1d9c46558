import type { DeliveryRequest } from '../../api/deliveries.ts';
import type { Destination } from '../../api/destinations.ts';
import type { Filter } from '../../library/query.ts';
import { type Quality, QUALITY_WORDS } from '../content.ts';

/** Assets by ID, or all that a filter finds. */
export type DeliverTarget =
  | { readonly kind: 'assets'; readonly ids: readonly number[] }
  | { readonly kind: 'everything'; readonly filter: Filter };
export type Content = 'destination' | Quality | 'several' | 'preset' | 'recipe';
/** Empty: as the destination has it. */
export type DeliverDraft = {
  readonly destinationId: number;
  readonly content: Content;
  readonly qualities: readonly Quality[];
  readonly preset: string;
  readonly recipe: string;
  /** Undefined: that of the destination. */
  readonly template: string | undefined;
  readonly collision: '' | Destination['collision'];
  readonly sidecar: '' | Destination['sidecar'];
  readonly embed: '' | 'yes' | 'no';
  readonly again: boolean;
  readonly includeRestricted: boolean;
};

export const draftFor = (destinationId: number): DeliverDraft => ({
  destinationId,
  content: 'destination',
  qualities: ['photographer', 'compressed'],
  preset: '',
  recipe: 'w=1080&h=1350&f=face&fmt=jpeg',
  template: undefined,
  collision: '',
  sidecar: '',
  embed: '',
  again: false,
  includeRestricted: false,
});

function contentOf(draft: DeliverDraft): Partial<DeliveryRequest> {
  switch (draft.content) {
    case 'destination':
      return {};
    case 'several':
      return { qualities: [...draft.qualities] };
    case 'preset':
      return { rendition: { kind: 'image', preset: draft.preset } };
    case 'recipe':
      return { rendition: { kind: 'image', params: draft.recipe.trim() } };
    default:
      return { quality: draft.content };
  }
}

/** What is asked of the service. Undefined while something that it needs is not chosen. */
export function requestOf(draft: DeliverDraft, target: DeliverTarget): DeliveryRequest | undefined {
  if (draft.content === 'several' && draft.qualities.length === 0) return undefined;
  if (draft.content === 'preset' && draft.preset === '') return undefined;
  if (draft.content === 'recipe' && draft.recipe.trim() === '') return undefined;
  const { destinationId, template, collision, sidecar, embed } = draft;
  return {
    destination_id: destinationId,
    ...(target.kind === 'assets' ? { media_ids: [...target.ids] } : { filter: target.filter }),
    ...contentOf(draft),
    ...(template !== undefined && { path_template: template }),
    ...(collision !== '' && { collision }),
    ...(sidecar !== '' && { sidecar }),
    ...(embed !== '' && { embed_metadata: embed === 'yes' }),
    ...(draft.again && { again: true }),
    ...(draft.includeRestricted && { include_restricted: true }),
  };
}

/** What a destination delivers of each asset when nothing else is asked for. */
export function destinationContent({ qualities, rendition }: Pick<Destination, 'qualities' | 'rendition'>): string {
  if (rendition) return `picture ${rendition.params ?? ''}`.trim();
  return qualities.map((quality) => QUALITY_WORDS[quality].toLowerCase()).join(', ');
}
