import { actionToJson } from './action-json.ts';
import type { ExportedAction } from './event-record.ts';
import { codeText, OWN_GROUP, readableLabels } from './sportscode-labels.ts';
import { escapeXml, xmlReadable } from './xml.ts';

/** Colours of rows, dark enough for white text; types take them in turn. */
const PALETTE = ['1f6feb', 'd1242f', '1a7f37', '9a6700', '8250df', 'bf3989', '0a7ea4', 'bc4c00', '57606a', '2da44e'];

/** JSON in plain ASCII: what XML cannot hold, and what a tool might fold or normalise, is escaped. */
export function asciiJson(value: unknown): string {
  const escaped = (found: string) => `\\u${found.charCodeAt(0).toString(16).padStart(4, '0')}`;
  return JSON.stringify(value).replace(/[^\u0020-\u007e]/g, escaped);
}

function element(name: string, text: string): string {
  return `<${name}>${escapeXml(text)}</${name}>`;
}

function instanceOf(action: ExportedAction): string {
  const own = { group: OWN_GROUP, text: asciiJson(actionToJson(action)) };
  const labels = [...readableLabels(action), own].map(({ group, text }) => {
    const inGroup = group === undefined || xmlReadable(group).trim() === '' ? '' : element('group', group);
    return `      <label>${inGroup}${element('text', text)}</label>\n`;
  });
  const head = [
    element('ID', String(action.id)),
    element('start', (action.startMs / 1000).toFixed(3)),
    element('end', (action.endMs / 1000).toFixed(3)),
    element('code', codeText(action.type)),
  ];
  return `    <instance>\n${head.map((line) => `      ${line}\n`).join('')}${labels.join('')}    </instance>\n`;
}

function rowOf(code: string, index: number): string {
  const colour = PALETTE[index % PALETTE.length] ?? '';
  // Rows have 16 bits a part: 257 makes ff the full 65535.
  const part = (name: string, at: number) => element(name, String(Number.parseInt(colour.slice(at, at + 2), 16) * 257));
  const parts = [
    element('sort_order', String(index + 1)),
    element('code', code),
    part('R', 0),
    part('G', 2),
    part('B', 4),
  ];
  return `    <row>${parts.join('')}</row>\n`;
}

/** Actions as a Sportscode XML edit list, UTF-8, with one row a type; the label group `Touchline` has each action whole. */
export function writeSportscode(actions: readonly ExportedAction[]): string {
  const codes = [...new Set(actions.map(({ type }) => codeText(type)))];
  return [
    '<?xml version="1.0" encoding="UTF-8"?>\n<file>\n  <ALL_INSTANCES>\n',
    ...actions.map(instanceOf),
    '  </ALL_INSTANCES>\n  <ROWS>\n',
    ...codes.map(rowOf),
    '  </ROWS>\n</file>\n',
  ].join('');
}
