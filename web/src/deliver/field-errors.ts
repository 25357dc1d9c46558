import { toProblem } from '../api/problem.ts';

/** What the service says of one member of the body, by its JSON pointer. */
export function fieldError(error: unknown, pointer: string): string | undefined {
  if (error === null || error === undefined) return undefined;
  return toProblem(error).fields.find((field) => field.pointer === pointer)?.detail;
}

/** What it says of a member or of anything in it. */
export function fieldErrorBelow(error: unknown, pointer: string): string | undefined {
  if (error === null || error === undefined) return undefined;
  const { fields } = toProblem(error);
  return fields.find((field) => field.pointer === pointer || field.pointer.startsWith(`${pointer}/`))?.detail;
}
