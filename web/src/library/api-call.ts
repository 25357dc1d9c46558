import type { SavedRequest } from './saved-request.ts';

const ENDPOINT = '/v1/media/search';

/** Within single quotes of a POSIX shell. */
const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;

/** The search as a command that can be pasted into a shell. The key is not in it: it is read from the environment. */
export function curlOf(request: SavedRequest, baseUrl: string): string {
  return [
    `curl -s ${quoted(`${baseUrl}${ENDPOINT}`)} \\`,
    `  -H "X-Api-Key: $TOUCHLINE_KEY" \\`,
    `  -H 'Content-Type: application/json' \\`,
    `  -d ${quoted(JSON.stringify(request))}`,
  ].join('\n');
}

const NAME = /^[A-Za-z_$][\w$]*$/;

/** JSON as it is written in TypeScript: names without quotes, texts in single ones. */
function literal(value: unknown, indent: string): string {
  if (typeof value === 'string')
    return `'${JSON.stringify(value).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'undefined';
  const inner = `${indent}  `;
  if (Array.isArray(value)) {
    const items = value.map((one) => literal(one, inner));
    const line = `[${items.join(', ')}]`;
    return line.length <= 80 && !line.includes('\n') ? line : `[\n${inner}${items.join(`,\n${inner}`)},\n${indent}]`;
  }
  const members = Object.entries(value).map(
    ([name, member]) => `${NAME.test(name) ? name : literal(name, inner)}: ${literal(member, inner)}`,
  );
  if (members.length === 0) return '{}';
  const line = `{ ${members.join(', ')} }`;
  return indent !== '' && line.length <= 80 && !line.includes('\n')
    ? line
    : `{\n${inner}${members.join(`,\n${inner}`)},\n${indent}}`;
}

/** The search in TypeScript with nothing but `fetch`. */
export function typescriptOf(request: SavedRequest, baseUrl: string): string {
  return `const response = await fetch('${baseUrl}${ENDPOINT}', {
  method: 'POST',
  headers: { 'X-Api-Key': process.env.TOUCHLINE_KEY ?? '', 'Content-Type': 'application/json' },
  body: JSON.stringify(${literal(request, '  ').replaceAll('\n', '\n')}),
});
if (!response.ok) throw new Error((await response.json()).detail);
const { media, total, next_cursor } = await response.json();
`;
}
