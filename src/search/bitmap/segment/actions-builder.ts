import type { IndexAction } from '../../../library/index.ts';
import { createDocumentsBuilder } from './documents-builder.ts';
import { ACTION_COLUMNS } from './fields.ts';
import { sortByNumber } from './order.ts';
import { pagedNumbers } from './paged.ts';
import { type ActionsMeta, newSection, type Section } from './sections.ts';

/** Fields of actions with one text each; `type` is an ID. */
const SINGLE_VALUES = ['status', 'outcome', 'source', 'angle'] as const;

export type ActionsBuilder = {
  /** Adds an action in a video, before or after the asset itself. */
  add(assetId: number, action: IndexAction): void;
  readonly size: number;
  /**
   * Makes the sections, the actions numbered by the document of their asset, where they start, and ID: those of an asset
   * are neighbours, in the order of the assets. @throws RangeError for an action of an asset without a document
   */
  finish(assets: { readonly size: number; readonly documentOf: (id: number) => number }): {
    readonly sections: Record<string, Section>;
    readonly meta: ActionsMeta;
  };
};

export function createActionsBuilder(): ActionsBuilder {
  const documents = createDocumentsBuilder(ACTION_COLUMNS);
  const assetIds = pagedNumbers();
  // Most actions have their single values in common with many others, and players come again and again in few roles.
  const known = new Map<string, readonly number[]>();
  const roles = new Map<string, { readonly ofPlayer: number; readonly role: number }>();

  const singleValues = (action: IndexAction): readonly number[] => {
    // No text of the database has a NUL in it.
    const texts = SINGLE_VALUES.map((field) => (action[field] === null ? '' : `=${action[field]}`)).join('\0');
    const key = `${action.home} ${action.type_id} ${texts}`;
    const found = known.get(key);
    if (found) return found;
    const values = SINGLE_VALUES.flatMap((field) => (action[field] === null ? [] : [`${field}=${action[field]}`]));
    values.push(`type=${action.type_id}`, ...(action.home ? ['home=true'] : []));
    const numbers = values.map((text) => documents.valueNumber(text));
    known.set(key, numbers);
    return numbers;
  };
  const rolesOf = (player: number, role: string) => {
    const key = `${player}:${role}`;
    const found = roles.get(key) ?? {
      ofPlayer: documents.valueNumber(`player_role=${key}`),
      role: documents.valueNumber(`role=${role}`),
    };
    roles.set(key, found);
    return found;
  };

  return {
    add(assetId, action) {
      assetIds.push(assetId);
      const values = singleValues(action);
      if (action.roles.length === 0) {
        documents.add(action, values);
        return;
      }
      const found = action.roles.map(({ player, role }) => rolesOf(player, role));
      // Several players may have one role.
      documents.add(action, [...values, ...new Set(found.flatMap(({ ofPlayer, role }) => [ofPlayer, role]))]);
    },
    get size() {
      return documents.size;
    },
    finish({ size, documentOf }) {
      const order = new Uint32Array(documents.size);
      const parentOfRow = new Uint32Array(documents.size);
      let assetId = -1;
      let parent = -1;
      for (let row = 0; row < order.length; row += 1) {
        order[row] = row;
        // Actions of one asset mostly come together.
        if (assetIds.get(row) !== assetId) {
          assetId = assetIds.get(row);
          parent = documentOf(assetId);
          if (parent < 0) throw new RangeError(`expected an asset with the actions of asset ${assetId}, received none`);
        }
        parentOfRow[row] = parent;
      }
      sortByNumber(order, (row) => documents.ids.get(row));
      sortByNumber(order, (row) => documents.numbers.start_ms.get(row));
      sortByNumber(order, (row) => parentOfRow[row] ?? 0);
      const parents = newSection('u32', order.length);
      const starts = newSection('u32', size + 1);
      for (let document = 0; document < order.length; document += 1) {
        const asset = parentOfRow[order[document] ?? 0] ?? 0;
        parents[document] = asset;
        starts[asset + 1] = document + 1;
      }
      let longest = 0;
      for (let asset = 0; asset < size; asset += 1) {
        const from = starts[asset] ?? 0;
        const to = Math.max(starts[asset + 1] ?? 0, from);
        starts[asset + 1] = to;
        longest = Math.max(longest, to - from);
      }
      const { sections, meta } = documents.finish(order);
      return { sections: { ...sections, parents, starts }, meta: { ...meta, size: order.length, longest } };
    },
  };
}
