import type { Recipe } from '../recipe.ts';

/** One parameter of an image URL. */
type Parameter<Name extends string, Value> = {
  readonly name: Name;
  readonly aliases: readonly string[];
  /** Completes "expected ... for <name>". */
  readonly expects: string;
  /** Undefined when the text is malformed or out of range. */
  readonly parse: (text: string) => Value | undefined;
  /** The text that stands for this parameter in the canonical recipe; undefined where it has no effect. */
  readonly canonical: (recipe: Recipe) => string | undefined;
  readonly doc: string;
};

export const parameter = <const Name extends string, Value>(row: Parameter<Name, Value>): Parameter<Name, Value> => row;

export const integer = (low: number, high: number) => (text: string) => {
  if (!/^\d{1,9}$/.test(text)) return undefined;
  const value = Number(text);
  return value >= low && value <= high ? value : undefined;
};

export const decimal = (low: number, high: number) => (text: string) => {
  if (!/^(?:\d{1,4}(?:\.\d{0,6})?|\.\d{1,6})$/.test(text)) return undefined;
  const value = Number(text);
  return value >= low && value <= high ? value : undefined;
};

export const oneOf =
  <const Value extends string>(values: readonly Value[]) =>
  (text: string): Value | undefined =>
    values.find((value) => value === text);
