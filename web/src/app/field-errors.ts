import { type ApiProblem, toProblem } from '../api/problem.ts';

const refusedOf = (error: unknown): ApiProblem['fields'] =>
  error === null || error === undefined ? [] : toProblem(error).fields;

/** Whether a JSON pointer is that of a member, or of anything in it. */
const isIn = (pointer: string, member: string): boolean => pointer === member || pointer.startsWith(`${member}/`);

/** What the service says of one member of the body, by its JSON pointer. */
export const fieldError = (error: unknown, pointer: string): string | undefined =>
  refusedOf(error).find((field) => field.pointer === pointer)?.detail;

/** What it says of a member or of anything in it. */
export const fieldErrorBelow = (error: unknown, pointer: string): string | undefined =>
  refusedOf(error).find((field) => isIn(field.pointer, pointer))?.detail;

/** What of a refusal belongs to which field of a form, and what to none. */
export function fieldErrorsOf<Field extends string>(error: unknown, fields: readonly Field[]) {
  const isAtField = refusedOf(error).some(({ pointer }) => fields.some((field) => isIn(pointer, `/${field}`)));
  return {
    of: (field: Field): string | undefined => fieldErrorBelow(error, `/${field}`),
    /** To be shown beneath the form: nothing once a field says it. */
    other: isAtField ? undefined : error,
  };
}
