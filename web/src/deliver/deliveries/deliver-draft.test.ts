import { expect, test } from 'vitest';
import { type DeliverDraft, draftFor, requestOf } from './deliver-draft.ts';

const TARGET = { kind: 'assets', ids: [3, 4] } as const;
const asked = (part: Partial<DeliverDraft>) => requestOf({ ...draftFor(7), ...part }, TARGET);

test('what is left as the destination has it is not asked for', () => {
  expect(asked({})).toEqual({ destination_id: 7, media_ids: [3, 4] });
});

test('a filter goes as it is', () => {
  expect(requestOf(draftFor(7), { kind: 'everything', filter: { rating: { gte: 4 } } })).toEqual({
    destination_id: 7,
    filter: { rating: { gte: 4 } },
  });
});

test('each kind of content becomes its member of the request', () => {
  expect(asked({ content: 'thumbnail' })).toMatchObject({ quality: 'thumbnail' });
  expect(asked({ content: 'several', qualities: ['photographer', 'thumbnail'] })).toMatchObject({
    qualities: ['photographer', 'thumbnail'],
  });
  expect(asked({ content: 'preset', preset: 'story' })).toMatchObject({
    rendition: { kind: 'image', preset: 'story' },
  });
  expect(asked({ content: 'recipe', recipe: ' w=48 ' })).toMatchObject({
    rendition: { kind: 'image', params: 'w=48' },
  });
});

test('nothing is asked while something is not chosen', () => {
  expect(asked({ content: 'several', qualities: [] })).toBeUndefined();
  expect(asked({ content: 'preset', preset: '' })).toBeUndefined();
  expect(asked({ content: 'recipe', recipe: '  ' })).toBeUndefined();
});

test('settings of its own are sent, also where they are empty or false', () => {
  expect(asked({ template: '', embed: 'no', sidecar: 'none', collision: 'fail', again: true })).toEqual({
    destination_id: 7,
    media_ids: [3, 4],
    path_template: '',
    embed_metadata: false,
    sidecar: 'none',
    collision: 'fail',
    again: true,
  });
});
