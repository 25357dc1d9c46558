import { describe, expect, test } from 'vitest';
import { EVENT_FAMILIES, EVENT_TYPES, eventsOf, namesOf } from './event-choice.ts';

describe('the events of a webhook', () => {
  test('are each in one family', () => {
    const listed = EVENT_FAMILIES.flatMap(({ events }) => events.map(({ type }) => type));
    expect(listed.toSorted()).toEqual(EVENT_TYPES.toSorted());
  });

  test('are those that the names stand for', () => {
    expect([...eventsOf(['clip.*', 'media.ready'])]).toEqual(['media.ready', 'clip.ready', 'clip.failed']);
    expect(eventsOf(['*']).size).toBe(EVENT_TYPES.length);
    expect(eventsOf([]).size).toBe(0);
  });

  test('of a whole kind have one name, and all of them a star', () => {
    expect(namesOf(new Set(['clip.failed', 'clip.ready', 'media.ready']))).toEqual(['media.ready', 'clip.*']);
    expect(namesOf(new Set(EVENT_TYPES))).toEqual(['*']);
  });

  test('keep their names when they are read and written', () => {
    const names = ['media.ready', 'media.deleted', 'delivery.*', 'api_key.revoked'];
    expect(namesOf(eventsOf(names))).toEqual(names);
  });
});
