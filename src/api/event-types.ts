import type { Principal } from '../auth/index.ts';
import { AppError, invalidField } from '../base/index.ts';
import { CHANGE_TYPES, type ChangeType, eventTypesOf, isAdminEvent } from '../library/index.ts';

/**
 * The types that a request asks for and its key may see: by name, or all that begin as `media.*` says; all without names.
 * @throws AppError `validation_failed` for one that is unknown
 */
export function readEventTypes(text: string | undefined, { key }: Principal): readonly ChangeType[] {
  const found = new Set<ChangeType>(text === undefined || text === '' ? CHANGE_TYPES : []);
  for (const name of text === undefined || text === '' ? [] : text.split(',').map((one) => one.trim())) {
    const named = eventTypesOf(name);
    if (named.length === 0) {
      throw invalidField('types', `expected types such as ${CHANGE_TYPES.join(', ')}, received ${name}`);
    }
    for (const type of named) found.add(type);
  }
  const isAdmin = key.scopes.includes('admin');
  return [...found].filter((type) => isAdmin || !isAdminEvent(type));
}

/**
 * 0 stands for the oldest event that is kept. @throws AppError `validation_failed` for one that is not there yet, `cursor_expired` when
 * events behind it are gone
 */
export function checkEventsKept(feed: {
  readonly after: number;
  readonly newest: number;
  readonly oldest: number;
}): void {
  const { after, newest, oldest } = feed;
  if (after > newest) {
    throw invalidField('after', `expected the after of an earlier answer, at most ${newest}, received ${after}`);
  }
  if (after === 0 || after >= oldest - 1) return;
  const message = `Events up to ${oldest - 1} are not kept any more, and ${after} was asked for: begin anew after ${oldest - 1}.`;
  throw new AppError('cursor_expired', message, { details: { oldest_after: oldest - 1 } });
}
