/**
 * Where a text stops being JSON (RFC 8259). `JSON.parse` says that it does, and only at times where; this is asked after it
 * has failed, and answers the place alone.
 */

type Expected = 'value' | 'value-or-end' | 'key' | 'key-or-end' | 'colon' | 'comma-or-end' | 'nothing';

const SPACE = /[ \t\n\r]*/y;
const STRING = /"(?:[^"\\\n\r]+|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"/y;
const SCALAR = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null/y;

/** The offset of the first character that cannot stand where it does; the length of the text where it ends too early. */
export function jsonFaultAt(text: string): number {
  const open: string[] = [];
  let expected: Expected = 'value';
  let at = 0;
  const take = (pattern: RegExp): boolean => {
    pattern.lastIndex = at;
    if (!pattern.test(text)) return false;
    at = pattern.lastIndex;
    return true;
  };
  const afterValue = (): Expected => (open.length === 0 ? 'nothing' : 'comma-or-end');

  for (;;) {
    take(SPACE);
    const character = text[at];
    if (character === undefined) return at;
    const isEnd = character === (open.at(-1) === '{' ? '}' : ']') && open.length > 0;
    if (isEnd && expected !== 'value' && expected !== 'key' && expected !== 'colon') {
      open.pop();
      at += 1;
      expected = afterValue();
    } else if (expected === 'key' || expected === 'key-or-end') {
      if (!take(STRING)) return at;
      expected = 'colon';
    } else if (expected === 'colon' || expected === 'comma-or-end') {
      if (character !== (expected === 'colon' ? ':' : ',')) return at;
      at += 1;
      expected = expected === 'comma-or-end' && open.at(-1) === '{' ? 'key' : 'value';
    } else if (expected !== 'nothing' && (character === '{' || character === '[')) {
      open.push(character);
      at += 1;
      expected = character === '{' ? 'key-or-end' : 'value-or-end';
    } else {
      if (expected === 'nothing' || !(take(STRING) || take(SCALAR))) return at;
      expected = afterValue();
    }
  }
}
