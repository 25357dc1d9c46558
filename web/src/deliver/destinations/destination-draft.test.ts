import { describe, expect, test } from 'vitest';
import type { Destination } from '../../api/destinations.ts';
import { EXAMPLE_DESTINATION } from '../example-destination.ts';
import { bodyOf, draftOf, newDraft, patchOf } from './destination-draft.ts';
import { placeOf } from './destination-kinds.ts';

const sftp: Destination = {
  ...EXAMPLE_DESTINATION,
  id: 3,
  kind: 'sftp',
  config: { host: 'sftp.example.org', port: 2222, user: 'press' },
  has_secrets: true,
  path_template: '{media.name}.{media.ext}',
  collision: 'suffix',
  bandwidth_limit: 2_500_000,
};
const draft = draftOf(sftp, 'UTC');

describe('a new destination', () => {
  test('sends what was filled in of its kind, as numbers where they are', () => {
    const given = { ...newDraft('sftp', 'UTC'), name: ' Agency ', bandwidth: '2,5', hasWindow: true };
    const config = { host: ' sftp.example.org ', port: '2222', user: 'press', prefix: '', path: 'of another kind' };
    const body = bodyOf({ ...given, config, secrets: { password: 'x', passphrase: '' } });
    expect(body).toMatchObject({
      name: 'Agency',
      kind: 'sftp',
      bandwidth_limit: 2_500_000,
      window: { from: '22:00', time_zone: 'UTC' },
      rendition: null,
    });
    expect(body.config).toEqual({ host: 'sftp.example.org', port: 2222, user: 'press' });
    expect(body.secrets).toEqual({ password: 'x' });
  });

  test('of a kind without secrets sends none', () => {
    expect(bodyOf({ ...newDraft('folder', 'UTC'), secrets: { password: 'x' } })).not.toHaveProperty('secrets');
  });
});

describe('a destination that is changed', () => {
  test('sends nothing where nothing was changed', () => {
    expect(patchOf(draft, sftp)).toEqual({});
  });

  test('sends only what was changed, and null for what was emptied', () => {
    const config = { ...draft.config, port: '', prefix: 'in' };
    const change = { ...draft, config, bandwidth: '', concurrency: '8', picture: 'w=100' };
    expect(patchOf(change, sftp)).toEqual({
      config: { port: null, prefix: 'in' },
      bandwidth_limit: null,
      concurrency: 8,
      rendition: { kind: 'image', params: 'w=100' },
    });
  });

  test('keeps its secrets unless they are replaced', () => {
    const secrets = { password: 'new' };
    expect(patchOf({ ...draft, secrets }, sftp)).toEqual({});
    expect(patchOf({ ...draft, secrets, replacesSecrets: true }, sftp)).toEqual({ secrets });
  });
});

test('its place is told without what is not there', () => {
  expect(placeOf(sftp)).toBe('press / sftp.example.org');
});
