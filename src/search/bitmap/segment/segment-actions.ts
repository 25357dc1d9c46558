import type { IndexAction } from '../../../library/index.ts';
import type { ActionNumberField } from '../../filter/filter-tree.ts';
import { type Documents, openDocuments } from './documents.ts';
import { ACTION_COLUMNS, type ActionColumn } from './fields.ts';
import { ACTION_SECTIONS, type SegmentData, sectionOf, sectionsUnder } from './sections.ts';

/**
 * The actions in the assets of a segment: documents of their own, numbered by asset, where they start, and ID. So those of
 * an asset follow one another, and what follows in one order follows in the other.
 */
export type ActionDocuments = Documents<ActionColumn> & {
  /** The asset's document by that of the action. */
  readonly parents: Uint32Array;
  /** The actions of asset `n` are `starts[n]` up to before `starts[n + 1]`. */
  readonly starts: Uint32Array;
  /** Actions of the asset that has the most. */
  readonly longest: number;
};

export function openActions(data: SegmentData): ActionDocuments | undefined {
  const { actions } = data.meta;
  if (!actions) return undefined;
  const sections = sectionsUnder(data.sections, ACTION_SECTIONS);
  return {
    ...openDocuments(sections, actions, { size: actions.size, numberFields: ACTION_COLUMNS }),
    parents: sectionOf(sections, 'parents', 'u32'),
    starts: sectionOf(sections, 'starts', 'u32'),
    longest: actions.longest,
  };
}

/** Reads the actions of assets, given by document, back as they were added. */
export function actionReader(actions: ActionDocuments): (asset: number) => readonly IndexAction[] {
  const contents = actions.openContents();
  const actionOf = (document: number): IndexAction => {
    const values = contents.values(document);
    const single = new Map(values);
    const number = (field: ActionNumberField) => contents.number(field, document);
    return {
      id: actions.id(document),
      home: single.has('home'),
      type_id: contents.number('type_id', document) ?? 0,
      status: single.get('status') ?? '',
      outcome: single.get('outcome') ?? null,
      source: single.get('source') ?? '',
      angle: single.get('angle') ?? null,
      start_ms: number('start_ms') ?? 0,
      period: number('period'),
      clock_ms: number('clock_ms'),
      minute: number('minute'),
      stoppage: number('stoppage'),
      confidence: number('confidence'),
      wallclock_at: number('wallclock_at'),
      created_at: number('created_at') ?? 0,
      updated_at: number('updated_at') ?? 0,
      tag_ids: contents.tags(document),
      roles: values
        .filter(([field]) => field === 'player_role')
        .map(([, value]) => {
          const at = value.indexOf(':');
          return { player: Number(value.slice(0, at)), role: value.slice(at + 1) };
        }),
      text: contents.text(document),
    };
  };
  return (asset) => {
    const from = actions.starts[asset] ?? 0;
    const to = actions.starts[asset + 1] ?? 0;
    return Array.from({ length: to - from }, (_, at) => actionOf(from + at));
  };
}
