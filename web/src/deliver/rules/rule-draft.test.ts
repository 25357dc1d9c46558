import { describe, expect, test } from 'vitest';
import type { Rule } from '../../api/rules.ts';
import { draftOfRule, mergePatchOf, newRule, ruleBodyOf, rulePatchOf } from './rule-draft.ts';
import { draftOfFilter, filterOfDraft } from './rule-filter.ts';

const rule: Rule = {
  id: 1,
  name: 'Goals',
  enabled: true,
  status: 'active',
  failure: null,
  on: ['action.created'],
  filter: { player: [7], action: { type: 'goal' }, width: { gte: 3000 } },
  then: [{ do: 'clip', aspect: '9:16' }],
  matched: 0,
  failed: 0,
  last_run_at: null,
  last_error: null,
  created_by: 'test',
  created_at: '2026-03-14T20:46:12.804Z',
  updated_at: '2026-03-14T20:46:12.804Z',
  version: 1,
};

describe('the filter of a rule', () => {
  test.each([
    [{}],
    [{ player: [7] }],
    [{ player: { all: [7], none: [8] }, club: [3], text: 'cup', media_type: 'photo', rating: [4, 5] }],
    [{ captured_at: { gte: '2026-03-01', lt: '2026-04-01' } }],
    [{ action: { type: 'goal' }, all: [{ player: 7 }] }],
    [{ player: [7], width: { gte: 3000 }, none: [{ usage: 'raw' }] }],
  ])('%j is the same after it was shown in the form', (filter) => {
    expect(filterOfDraft(draftOfFilter(filter))).toEqual({ filter });
  });

  test('leaves what is asked of the action itself at the top', () => {
    expect(draftOfFilter({ action: { type: 'goal' }, club: 3 })).toMatchObject({
      query: { chips: [{ type: 'club', id: 3, mode: 'all' }] },
      rest: '{\n  "action": {\n    "type": "goal"\n  }\n}',
    });
  });

  test('takes a saved search without its sort', () => {
    expect(filterOfDraft(draftOfFilter({ player: [7], sort: 'name', facets: ['club'] }))).toEqual({
      filter: { player: [7] },
    });
  });

  test.each([
    ['{"width"', /JSON/],
    ['[1]', /object/],
    ['{"player": 8}', /“player” is chosen above/],
  ])('with %s beside it says what is wrong', (rest, problem) => {
    const { query } = draftOfFilter({ player: [7] });
    expect(filterOfDraft({ query, rest })).toEqual({ problem: expect.stringMatching(problem) as string });
  });
});

test.each([
  [{ a: 1 }, { a: 1 }, {}],
  [
    { a: 1, b: 2 },
    { b: 3, c: 4 },
    { a: null, b: 3, c: 4 },
  ],
  [{ a: { all: [1] } }, { a: { none: [1] } }, { a: { all: null, none: [1] } }],
  [{ a: { all: [1], none: [2] } }, { a: { none: [2], all: [1] } }, {}],
  [{ a: { all: [1] } }, { a: [1] }, { a: [1] }],
  [{ a: [{ b: 1 }] }, { a: [{ c: 1 }] }, { a: [{ c: 1 }] }],
])('%j becomes %j by a merge patch', (before, after, patch) => {
  expect(mergePatchOf(before, after)).toEqual(patch);
});

test('a rule that was opened and not changed has nothing to save', () => {
  expect(rulePatchOf(draftOfRule(rule), rule.filter, rule)).toEqual({});
});

test('only what was changed is saved', () => {
  const draft = { ...draftOfRule(rule), name: 'Goals, upright', enabled: false };
  const filter = { action: { type: 'goal', outcome: 'saved' } };
  expect(rulePatchOf(draft, filter, rule)).toEqual({
    name: 'Goals, upright',
    enabled: false,
    filter: { player: null, width: null, action: { outcome: 'saved' } },
  });
});

test('a new rule delivers what is ready or was tagged', () => {
  expect(ruleBodyOf({ ...newRule(), name: ' Press ' }, {})).toEqual({
    name: 'Press',
    enabled: true,
    on: ['media.ready', 'media.tags_changed'],
    filter: {},
    then: [{ do: 'deliver' }],
  });
});
