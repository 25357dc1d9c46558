import { openCursor, sealCursor } from '../auth/index.ts';

/**
 * One page of rows that are in the order of a number, mostly their ID. One row more than asked for tells whether a page follows.
 * @param request.purpose what the cursor is bound to: the list, and what it was filtered by
 * @param source.load reads rows behind the one with this number; undefined: from the first
 * @throws AppError `cursor_invalid`
 */
export async function readCursorPage<Row>(
  signingKey: Buffer,
  request: { readonly purpose: string; readonly limit: number; readonly cursor?: string | undefined },
  source: {
    load(behind: number | undefined, limit: number): Promise<readonly Row[]>;
    keyOf(row: NoInfer<Row>): number;
  },
): Promise<{ readonly rows: readonly Row[]; readonly nextCursor: string | null }> {
  const { purpose, limit, cursor } = request;
  const behind = cursor === undefined ? undefined : Number(openCursor(signingKey, purpose, cursor));
  const found = await source.load(behind, limit + 1);
  const rows = found.slice(0, limit);
  const last = found.length > limit ? rows.at(-1) : undefined;
  return { rows, nextCursor: last ? sealCursor(signingKey, purpose, source.keyOf(last)) : null };
}

export const idOf = (row: { readonly id: number }): number => row.id;
