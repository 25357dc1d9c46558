import { readdir, readFile } from 'node:fs/promises';
import { join, relative } from 'node:path';

const ROOT = join(import.meta.dirname, '..', '..');

export type SourceFile = {
  /** From the root of the repository, with `/`. */
  readonly path: string;
  readonly text: string;
  readonly isTest: boolean;
};

/** Every TypeScript file below the folders, but for declarations, which are generated. */
export async function readSourceFiles(...folders: readonly string[]): Promise<readonly SourceFile[]> {
  const files: SourceFile[] = [];
  for (const folder of folders) {
    for (const entry of await readdir(join(ROOT, folder), { recursive: true, withFileTypes: true })) {
      if (!entry.isFile() || !/(?<!\.d)\.tsx?$/.test(entry.name)) continue;
      const file = join(entry.parentPath, entry.name);
      const path = relative(ROOT, file).replaceAll('\\', '/');
      const isTest = /\.test\.tsx?$/.test(path) || path.startsWith('test/');
      files.push({ path, text: await readFile(file, 'utf8'), isTest });
    }
  }
  return files;
}

export function readDocument(path: string): Promise<string> {
  return readFile(join(ROOT, path), 'utf8');
}

const SPECIFIER = /(?:\bfrom|\bimport|\bimport\(|\brequire\(|\bresolve\(|import\.meta\.url\)\()\s*'([^']+)'/g;

/** What a file imports, statically, dynamically and through createRequire, as it is written. */
export function importsOf(text: string): readonly string[] {
  return [...text.matchAll(SPECIFIER)].map((found) => found[1] ?? '');
}

const NOT_CODE = /\/\/[^\n]*|\/\*[\s\S]*?\*\/|'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"|`(?:\\.|[^`\\])*`/g;

/** The text without comments and texts in quotes; line breaks stay, so that line numbers do. */
export function codeOf(text: string): string {
  return text.replace(NOT_CODE, (found) => found.replaceAll(/[^\n]/g, ' '));
}

/** The cells of the rows of every table in a Markdown text, without head and rule; code marks and anchors are taken off. */
export function tableRows(markdown: string): readonly (readonly string[])[] {
  const lines = markdown.split('\n');
  return lines
    .filter(
      (line, index) => line.startsWith('|') && !/^\|[ :|-]+$/.test(line) && !/^\|[ :|-]+$/.test(lines[index + 1] ?? ''),
    )
    .map((line) =>
      line
        .slice(1, line.lastIndexOf('|'))
        .split(/(?<!\\)\|/)
        .map((cell) =>
          cell
            .replaceAll(/<a id="[^"]*"><\/a>/g, '')
            .replaceAll('`', '')
            .replaceAll('\\|', '|')
            .trim(),
        ),
    );
}
