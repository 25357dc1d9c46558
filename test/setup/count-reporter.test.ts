import { expect, test } from 'vitest';
import { lackOf } from '../support/count-reporter.ts';
import { missingProgram } from '../support/servers/server-process.ts';

const why = missingProgram(['no-such-server'], 'no-such-package');
const module = { type: 'module' };

test('a test that is named after the server it lacks is told at the end of a run', () => {
  expect(lackOf({ name: `SFTP channel (${why})`, parent: module }, undefined)).toBe(
    'not tested: SFTP channel, because no-such-server is missing (apt-get install no-such-package)',
  );
});

test('tests that were skipped for want of a server are told by their suite', () => {
  const parent = { type: 'suite', name: 'sftp' };
  expect(lackOf({ name: 'disk full', parent }, why)).toBe(
    'not tested: sftp, because no-such-server is missing (apt-get install no-such-package)',
  );
  expect(lackOf({ name: 'disk full', parent: module }, why)).toContain('not tested: disk full, because');
});

test('a test that is skipped for another reason is not told', () => {
  expect(lackOf({ name: 'disk full', parent: module }, 'a folder has no server')).toBeUndefined();
  expect(lackOf({ name: 'disk full (later)', parent: module }, undefined)).toBeUndefined();
});
