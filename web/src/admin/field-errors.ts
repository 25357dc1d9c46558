import { toProblem } from '../api/problem.ts';

/** What of a refusal belongs to which field of a form, by the beginning of its pointer, and what to none. */
export function fieldErrorsOf<Field extends string>(error: unknown, fields: readonly Field[]) {
  const refused = error === null || error === undefined ? [] : toProblem(error).fields;
  const isOf = (pointer: string, field: string) => pointer === `/${field}` || pointer.startsWith(`/${field}/`);
  const isElsewhere = !refused.some(({ pointer }) => fields.some((field) => isOf(pointer, field)));
  return {
    of: (field: Field): string | undefined => refused.find(({ pointer }) => isOf(pointer, field))?.detail,
    /** To be shown beneath the form: nothing once a field says it. */
    other: isElsewhere ? error : undefined,
  };
}
