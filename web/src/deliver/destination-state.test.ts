import { expect, test } from 'vitest';
import type { Destination } from '../api/destinations.ts';
import { stateOf } from './destination-state.ts';

const healthy: Parameters<typeof stateOf>[0] = {
  paused: false,
  circuit: 'closed',
  retry_at: null,
  status: 'ok',
  failure: null,
  on_hold: null,
  health: {
    consecutive_failures: 0,
    last_success_at: null,
    last_error: null,
    queued: 0,
    running: 0,
    last_hour: { succeeded: 0, failed: 0, bytes: 0, p50_ms: null, bytes_per_second: null },
  },
};
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
  expect(stateOf({ ...healthy, ...members }, clock)).toMatchObject(state);
});
