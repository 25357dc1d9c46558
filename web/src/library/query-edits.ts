import type { Chip, ChipMode, ChipType, LibraryQuery, ValueField } from './query.ts';

const same = (a: { readonly type: ChipType; readonly id: number }, b: typeof a): boolean =>
  a.type === b.type && a.id === b.id;

export function findChip(query: LibraryQuery, wanted: Pick<Chip, 'type' | 'id'>): Chip | undefined {
  return query.chips.find((chip) => same(chip, wanted));
}

/** Adds a chip, or gives the one that is there another mode. */
export function withChip(query: LibraryQuery, chip: Chip): LibraryQuery {
  if (!findChip(query, chip)) return { ...query, chips: [...query.chips, chip] };
  return { ...query, chips: query.chips.map((one) => (same(one, chip) ? chip : one)) };
}

export function withoutChip(query: LibraryQuery, chip: Pick<Chip, 'type' | 'id'>): LibraryQuery {
  return { ...query, chips: query.chips.filter((one) => !same(one, chip)) };
}

/** A value of a facet, on or off. Several of one field mean any of them. */
export function toggleChip(query: LibraryQuery, chip: Pick<Chip, 'type' | 'id'>, mode: ChipMode): LibraryQuery {
  return findChip(query, chip) ? withoutChip(query, chip) : withChip(query, { ...chip, mode });
}

export function toggleValue(query: LibraryQuery, field: ValueField, value: string | number): LibraryQuery {
  const given = query.values[field] ?? [];
  const next = given.includes(value) ? given.filter((one) => one !== value) : [...given, value];
  const { [field]: _replaced, ...others } = query.values;
  return { ...query, values: next.length === 0 ? others : { ...others, [field]: next } };
}

export function withDates(
  query: LibraryQuery,
  dates: { readonly from: string | undefined; readonly before: string | undefined },
): LibraryQuery {
  return { ...query, ...dates };
}
