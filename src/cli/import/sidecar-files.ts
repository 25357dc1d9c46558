import type { SidecarFields, SidecarIssue, SidecarRow, TagReference } from './sidecar.ts';

/** All that the rows of one file say together. */
export type FileRows = {
  readonly lines: readonly number[];
  readonly tags: readonly TagReference[];
  readonly collections: readonly string[];
  readonly fields: SidecarFields;
};
export type MatchedRows = {
  readonly byPath: ReadonlyMap<string, FileRows>;
  /** Rows whose file is not among the files. */
  readonly unmatched: readonly SidecarRow[];
  readonly issues: readonly SidecarIssue[];
};

/** macOS hands out names in decomposed letters, tables have composed ones. */
const normal = (path: string) =>
  path
    .normalize('NFC')
    .replaceAll('\\', '/')
    .replace(/^(\.\/)+/, '');
const baseName = (path: string) => path.slice(path.lastIndexOf('/') + 1);

function indexBy(paths: readonly string[], key: (path: string) => string): Map<string, string[]> {
  const index = new Map<string, string[]>();
  for (const path of paths) {
    const name = key(path);
    const found = index.get(name);
    if (found) found.push(path);
    else index.set(name, [path]);
  }
  return index;
}

/**
 * Finds the file a row means: by its path below the folder, by its path from the table, by its name alone; each exactly
 * first, then without regard to case.
 */
function createFileFinder(paths: readonly string[], folderFromTable: string): (name: string) => readonly string[] {
  const lower = (text: string) => text.toLowerCase();
  const steps: readonly ((path: string) => string)[] = [
    normal,
    (path) => lower(normal(path)),
    (path) => normal(`${folderFromTable}${path}`),
    (path) => lower(normal(`${folderFromTable}${path}`)),
  ];
  const names: readonly ((path: string) => string)[] = [
    (path) => normal(baseName(path)),
    (path) => lower(normal(baseName(path))),
  ];
  const indexed = [...steps, ...names].map((key) => indexBy(paths, key));
  return (name) => {
    const wanted = normal(name);
    // A path that is not there must not fall on a file of the same name in another folder.
    const usable = wanted.includes('/') ? indexed.slice(0, steps.length) : indexed;
    for (const [at, index] of usable.entries()) {
      const found = index.get(at % 2 === 0 ? wanted : lower(wanted));
      if (found) return found;
    }
    return [];
  };
}

/** Joins the fields of a further row of the same file; the first value stays where they differ. */
function mergeFields(first: SidecarFields, next: SidecarFields, report: (name: string) => void): SidecarFields {
  for (const [name, value] of Object.entries(next)) {
    const before: unknown = Reflect.get(first, name);
    if (before !== undefined && before !== value) report(name);
  }
  return { ...next, ...first };
}

/**
 * Assigns the rows of a table to the files of a folder. `folderFromTable` is the way from the table's folder to the
 * imported one, such as `photos/`.
 */
export function matchRows(rows: readonly SidecarRow[], paths: readonly string[], folderFromTable: string): MatchedRows {
  const find = createFileFinder(paths, folderFromTable);
  const byPath = new Map<string, FileRows>();
  const unmatched: SidecarRow[] = [];
  const issues: SidecarIssue[] = [];
  for (const row of rows) {
    const [path, ...others] = find(row.file);
    if (path === undefined) {
      unmatched.push(row);
      continue;
    }
    const report = (detail: string) => issues.push({ line: row.line, file: row.file, detail });
    if (others.length > 0) {
      report(`expected the name of one file, received that of ${others.length + 1}: ${[path, ...others].join(', ')}`);
      continue;
    }
    const before = byPath.get(path);
    byPath.set(path, {
      lines: [...(before?.lines ?? []), row.line],
      tags: [...(before?.tags ?? []), ...row.tags],
      collections: [...(before?.collections ?? []), ...row.collections],
      fields: mergeFields(before?.fields ?? {}, row.fields, (name) =>
        report(`${name}: it differs from that of line ${before?.lines.join(', ')}, which is applied`),
      ),
    });
  }
  return { byPath, unmatched, issues };
}
