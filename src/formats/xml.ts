/**
 * XML as event files have it: elements, attributes and text. A document type is skipped, never read: no entity but the five
 * of XML and character references exists, so nothing expands and nothing is loaded from elsewhere. The file is read as a
 * stream, and only the elements that are asked for become trees.
 */
import { SaxesParser } from 'saxes';
import { malformedFile } from './event-record.ts';

const MAX_DEPTH = 32;
/** An event of a feed has under a hundred parts. Each is an object in memory: without an end to them a file of 64 MiB takes gigabytes. */
const MAX_PARTS = 10_000;

export type XmlElement = {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: readonly XmlElement[];
  /** Its own text, without that of its children. */
  readonly text: string;
  readonly line: number;
};

type Building = {
  name: string;
  attributes: Record<string, string>;
  children: XmlElement[];
  text: string;
  line: number;
};

export type XmlReading = {
  /** What the file should be, for messages: `Sportscode XML`. */
  readonly format: string;
  /** Whether the element at a path of names (root first) is wanted as a tree. Not asked below a wanted one. */
  readonly isWanted: (path: readonly string[]) => boolean;
  readonly onElement: (element: XmlElement, path: readonly string[]) => void;
  /** An element that is not wanted begins: for its attributes. */
  readonly onOpen?: (element: { readonly name: string; readonly attributes: Readonly<Record<string, string>> }) => void;
};

/** Reads an XML text. @throws validation_failed naming line and column, for faults and for more than 32 levels */
export function readXml(text: string, reading: XmlReading): void {
  const parser = new SaxesParser();
  const path: string[] = [];
  // The element that is being built and those around it, down from the wanted one.
  const open: Building[] = [];
  const fail = (fault: string): never => {
    throw malformedFile(reading.format, { line: parser.line, column: parser.columnIndex + 1 }, fault);
  };

  parser.on('error', (error) => fail(error.message.replace(/^.*?\d+:\d+: /, '')));
  // Attributes of the tag that is being read, and elements of the wanted one.
  let attributes = 0;
  let parts = 0;
  parser.on('opentagstart', () => {
    attributes = 0;
  });
  parser.on('attribute', () => {
    attributes += 1;
    if (attributes > MAX_PARTS) fail(`expected at most ${MAX_PARTS} attributes`);
  });
  parser.on('opentag', ({ name, attributes }) => {
    path.push(name);
    if (path.length > MAX_DEPTH) fail(`expected at most ${MAX_DEPTH} levels of elements`);
    if (open.length > 0 || reading.isWanted(path)) {
      parts = open.length === 0 ? 0 : parts + 1;
      if (parts > MAX_PARTS) fail(`expected at most ${MAX_PARTS} elements in <${open[0]?.name}>`);
      open.push({ name, attributes, children: [], text: '', line: parser.line });
    } else reading.onOpen?.({ name, attributes });
  });
  const addText = (piece: string) => {
    const current = open.at(-1);
    if (current) current.text += piece;
  };
  parser.on('text', addText);
  parser.on('cdata', addText);
  parser.on('closetag', () => {
    const done = open.pop();
    const parent = open.at(-1);
    if (done && parent) parent.children.push(done);
    else if (done) reading.onElement(done, path);
    path.pop();
  });
  parser.write(text).close();
}

/** Text of the first child of a name, without space around it; `undefined` where there is none or it is empty. */
export function childText(element: XmlElement, name: string): string | undefined {
  const text = element.children.find((child) => child.name === name)?.text.trim();
  return text === '' ? undefined : text;
}

// All but the characters of XML 1.0, section 2.2: control characters, lone surrogates, U+FFFE and U+FFFF.
const NOT_XML = /[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu;
const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  // "]]>" may not stand in text.
  '>': '&gt;',
  '"': '&quot;',
  // A bare CR would be read as LF.
  '\r': '&#13;',
};

/** Text as it may stand in an element; characters that XML cannot hold become U+FFFD. */
export function escapeXml(text: string): string {
  return text.replace(NOT_XML, '\ufffd').replace(/[&<>"\r]/g, (found) => ESCAPES[found] ?? found);
}

/** Text as `escapeXml` makes it come back. */
export function xmlReadable(text: string): string {
  return text.replace(NOT_XML, '\ufffd');
}
