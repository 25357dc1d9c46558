/** A section of a segment: a typed array over memory that threads share. */
export type Section = Uint8Array | Uint16Array | Uint32Array | Int32Array | Float64Array;

export type Sections = Readonly<Record<string, Section>>;

/** A segment as threads pass it on and files hold it: named arrays and a few plain values. */
export type SegmentData = {
  /** Documents, numbered from 0. */
  readonly size: number;
  /** Those of the actions in the documents have names that begin with ACTION_SECTIONS, those of details with DETAIL_SECTIONS. */
  readonly sections: Sections;
  readonly meta: SegmentMeta;
};

export type ColumnEncoding = 'codes' | 'times' | 'sparse' | 'wide';

/** What is needed to read the sections of documents of one kind. */
export type DocumentsMeta = {
  readonly columns: Readonly<Record<string, { readonly encoding: ColumnEncoding; readonly base: number }>>;
  /** `field=value` of the sets that follow those of tag options, ascending. */
  readonly valueSets: readonly string[];
  /** Documents without a single word. */
  readonly wordless: number;
};

export type SegmentMeta = DocumentsMeta & {
  /** Undefined when no document has an action. */
  readonly actions?: ActionsMeta;
  /** Undefined when no document has a value in the organization's own fields. */
  readonly details?: DetailsMeta;
};

/** Columns by the ID of their field. */
export type DetailsMeta = Pick<DocumentsMeta, 'columns'>;

export type ActionsMeta = DocumentsMeta & {
  readonly size: number;
  /** Actions of the asset that has the most. */
  readonly longest: number;
};

export const ACTION_SECTIONS = 'action/';
export const DETAIL_SECTIONS = 'detail/';

/** The sections whose names begin so, by the rest of their names. */
export function sectionsUnder(sections: Sections, prefix: string): Sections {
  const own = Object.entries(sections).filter(([name]) => name.startsWith(prefix));
  return Object.fromEntries(own.map(([name, section]) => [name.slice(prefix.length), section]));
}

/** The same sections with `prefix` before their names. */
export function prefixed(sections: Sections, prefix: string): Record<string, Section> {
  return Object.fromEntries(Object.entries(sections).map(([name, section]) => [`${prefix}${name}`, section]));
}

const ARRAYS = { u8: Uint8Array, u16: Uint16Array, u32: Uint32Array, i32: Int32Array, f64: Float64Array } as const;
export type SectionType = keyof typeof ARRAYS;
type SectionOf<Type extends SectionType> = InstanceType<(typeof ARRAYS)[Type]>;

/** A zeroed array of this many elements in shared memory. */
export function newSection<Type extends SectionType>(type: Type, length: number): SectionOf<Type> {
  // The classes' constructors differ only in their result, and the table says which class belongs to which name.
  const array = ARRAYS[type] as unknown as Uint8ArrayConstructor;
  return new array(new SharedArrayBuffer(length * array.BYTES_PER_ELEMENT)) as unknown as SectionOf<Type>;
}

export function typeOfSection(section: Section): SectionType {
  for (const [name, array] of Object.entries(ARRAYS)) if (section instanceof array) return name as SectionType;
  throw new TypeError('expected a section of a segment');
}

/** The section of this name and type. @throws RangeError when there is none, or one of another type */
export function sectionOf<Type extends SectionType>(sections: Sections, name: string, type: Type): SectionOf<Type> {
  const found = sections[name];
  if (!(found instanceof ARRAYS[type])) throw new RangeError(`the segment lacks its section ${name} of type ${type}`);
  // The class was just looked at; the table's type does not say which of its members that is.
  return found as SectionOf<Type>;
}

/** Memory of all sections. */
export function bytesOf(data: SegmentData): number {
  return Object.values(data.sections).reduce((sum, section) => sum + section.byteLength, 0);
}
