import { describe, expect, test } from 'vitest';
import type { RunStep } from '../../api/rules.ts';
import { eventsText, filterText, runStepText, stepText } from './rule-words.ts';

const names = {
  tag: (id: number) => `T${id}`,
  destination: (id: number) => `D${id}`,
  webhook: (id: number) => `W${id}`,
};

describe('the filter of a rule reads as', () => {
  test.each([
    [{}, 'any asset'],
    [{ media_type: 'photo' }, 'any photo'],
    [{ player: [7], club: 3 }, 'an asset with T7 and T3'],
    [{ player: { any: [7, 8, 9], none: [1] } }, 'an asset with T7, T8 or T9, without T1'],
    [{ media_type: 'video', text: 'cup final' }, 'a video with the words “cup final”'],
    [{ usage: ['raw', 'approved'], rating: 5 }, 'an asset whose usage is raw or approved, whose rating is 5'],
    [{ club: { only: [3] }, width: { gte: 3000 } }, 'an asset with only T3, that meets a filter of its own'],
    [{ collection: 4, captured_at: { gte: '2026-03-01' } }, 'an asset with collection 4, taken from 2026-03-01'],
  ])('%j as %s', (filter, text) => {
    expect(filterText(filter, names)).toBe(text);
  });
});

test('events are told in the order of the form', () => {
  expect(eventsText(['media.tags_changed', 'media.ready'])).toBe('is ready or is tagged anew');
});

test.each([
  [{ do: 'deliver', destination_id: 2 }, 'deliver it to D2'],
  [{ do: 'deliver' }, 'deliver it'],
  [{ do: 'add_tags', tag_option_ids: [1, 2] }, 'put on T1, T2'],
  [{ do: 'set_usage', usage: 'approved' }, 'set its usage to approved'],
  [{ do: 'webhook', webhook_id: 5 }, 'tell W5'],
  [{ do: 'clip', destination_id: 2 }, 'cut a clip and deliver it to D2'],
] as const)('the step %j reads as %s', (step, text) => {
  expect(stepText(step, names)).toBe(text);
});

test.each<[RunStep, string]>([
  [{ do: 'add_tags', status: 'done', tag_option_ids: [1] }, 'Put tags on (T1): done'],
  [{ do: 'set_usage', status: 'unchanged', usage: 'raw' }, 'Set the usage (raw): it was so already'],
  [
    { do: 'deliver', status: 'skipped', failure: { code: 'media_restricted', reason: 'it is limited' } },
    'Deliver: not possible: it is limited',
  ],
])('what came of a step, %j, reads as %s', (step, text) => {
  expect(runStepText(step, names)).toBe(text);
});
