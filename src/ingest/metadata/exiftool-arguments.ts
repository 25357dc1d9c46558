/**
 * Values as arguments of ExifTool, which takes one a line. With `-E` it decodes HTML character references once in every
 * argument and once more in the members of a structure (exiftool.org/faq.html#Q10, struct.html#Serialize), so that a text that
 * holds `&amp;` itself, or a line feed, arrives as it is.
 */
function reference(text: string, pattern: RegExp): string {
  return text.replace(pattern, (character) => `&#${character.charCodeAt(0)};`);
}

// oxlint-disable-next-line no-control-regex -- what would end an argument is what has to be encoded
const ENDS_ARGUMENT = /[&\u0000-\u001f]/g;

/** `-Tag=text`. */
export function assign(tag: string, text: string): string {
  return `-${tag}=${reference(text, ENDS_ARGUMENT)}`;
}

/** Assignments that make these the items of a list, or take the tag away when there are none. */
export function assignList(tag: string, items: readonly string[]): readonly string[] {
  return items.length === 0 ? [`-${tag}=`] : items.map((item) => assign(tag, item));
}

/** `-Tag={Member=text,...}`: a structure, or a list of them, as ExifTool answers it under `-struct`. */
export function assignStructure(tag: string, value: unknown): string {
  return assign(tag, serialize(value));
}

function serialize(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(serialize).join(',')}]`;
  if (typeof value === 'object' && value !== null) {
    return `{${Object.entries(value)
      .map(([name, member]) => `${name}=${serialize(member)}`)
      .join(',')}}`;
  }
  return reference(
    String(value).replace(/[,[\]{}|]/g, (character) => `|${character}`),
    ENDS_ARGUMENT,
  );
}
