import { expect, test } from 'vitest';
import type { Destination } from '../../api/destinations.ts';
import { EXAMPLE_DESTINATION } from '../example-destination.ts';
import { stateOf } from './destination-state.ts';

const failed: Partial<Destination> = { status: 'failed', failure: { code: 'not_found', reason: 'the folder is gone' } };
const clock = (time: string) => time.slice(11, 16);

test.each<[Partial<Destination>, object]>([
  [{}, { label: 'Healthy', tone: 'ok' }],
  [{ status: 'unverified' }, { label: 'Not verified', tone: 'warn' }],
  [failed, { label: 'Failing', tone: 'danger', detail: 'the folder is gone' }],
  [
    { ...failed, circuit: 'open', retry_at: '2026-03-14T19:30:00.000Z' },
    { label: 'Circuit open until 19:30', tone: 'danger', detail: 'the folder is gone' },
  ],
  [
    { ...failed, circuit: 'half_open' },
    { label: 'Finding out whether it is back', tone: 'warn' },
  ],
  [
    { ...failed, circuit: 'open', paused: true },
    { label: 'Paused', tone: 'plain' },
  ],
  [
    { on_hold: { reason: 'window', until: '2026-03-14T22:00:00.000Z' } },
    { label: 'Waits for its hours until 22:00', tone: 'plain' },
  ],
])('a destination with %j is shown as %j', (members, state) => {
  expect(stateOf({ ...EXAMPLE_DESTINATION, ...members }, clock)).toMatchObject(state);
});
