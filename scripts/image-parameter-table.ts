/** Writes the table of image parameters into docs/images.md, from the table the service parses URLs by. */
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { PARAMETERS } from '../src/images/index.ts';

const DOCUMENT = join(import.meta.dirname, '..', 'docs', 'images.md');
const cell = (text: string) => text.replaceAll('|', '\\|');

/** Everything between the two marks of docs/images.md. */
export function imageParameterTable(): string {
  const rows = PARAMETERS.map(({ name, aliases, expects, doc }) => {
    const names = [name, ...aliases].map((one) => `\`${one}\``).join(', ');
    return `| ${names} | ${cell(expects)} | ${cell(doc)} |`;
  });
  return ['| parameter | value | meaning |', '|---|---|---|', ...rows].join('\n');
}

if (import.meta.main) {
  const text = await readFile(DOCUMENT, 'utf8');
  const marks = /(<!-- parameters -->\n)[\s\S]*?(<!-- end of parameters -->)/;
  await writeFile(
    DOCUMENT,
    text.replace(marks, (_all, begin: string, end: string) => `${begin}${imageParameterTable()}\n${end}`),
  );
}
