/** Those that there are, in the order of the IDs. Rejects as the read does. */
export type Find<Row> = (ids: readonly number[]) => Promise<readonly Row[]>;

/** Reads that are asked for at about the same time share a statement: planning it takes the database longer than a few rows more. */
export function createSharedReads<Row extends { readonly id: number }>(read: Find<Row>): Find<Row> {
  let next: { readonly ids: Set<number>; readonly rows: Promise<ReadonlyMap<number, Row>> } | undefined;

  const begin = () => {
    const ids = new Set<number>();
    const rows = new Promise<void>((resolve) => void setImmediate(resolve)).then(async () => {
      next = undefined;
      return new Map((await read([...ids])).map((row) => [row.id, row]));
    });
    return { ids, rows };
  };
  return async (ids) => {
    if (ids.length === 0) return [];
    next ??= begin();
    for (const id of ids) next.ids.add(id);
    const rows = await next.rows;
    return ids.flatMap((id) => rows.get(id) ?? []);
  };
}
