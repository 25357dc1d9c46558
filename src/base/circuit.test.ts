import { describe, expect, test } from 'vitest';
import { afterSign, type Circuit, CLOSED_CIRCUIT, FAULTS_TO_OPEN } from './circuit.ts';

const START = new Date('2026-06-01T12:00:00Z');
const faulty = (circuit: Circuit, now = START): Circuit => afterSign(circuit, 'fault', now);
const secondsOf = ({ retryAt }: Circuit, since: Date): number => ((retryAt?.getTime() ?? 0) - since.getTime()) / 1000;

describe('a circuit', () => {
  test('opens at the fifth fault in a row, for 30 s', () => {
    let circuit = CLOSED_CIRCUIT;
    for (let n = 1; n < FAULTS_TO_OPEN; n += 1) {
      circuit = faulty(circuit);
      expect(circuit).toMatchObject({ state: 'closed', faults: n, retryAt: null });
    }
    circuit = faulty(circuit);
    expect(circuit).toMatchObject({ state: 'open', faults: FAULTS_TO_OPEN });
    expect(secondsOf(circuit, START)).toBe(30);
  });

  test('counts from the start again when the target has answered', () => {
    const four = Array.from({ length: FAULTS_TO_OPEN - 1 }).reduce<Circuit>(
      (circuit) => faulty(circuit),
      CLOSED_CIRCUIT,
    );
    expect(faulty(afterSign(four, 'answered', START))).toMatchObject({ state: 'closed', faults: 1 });
  });

  test('waits longer each time that the one delivery fails which was to find out, up to 15 minutes', () => {
    let circuit: Circuit = { state: 'open', faults: 5, openings: 1, retryAt: START };
    const waits: number[] = [];
    for (let n = 0; n < 7; n += 1) {
      const now = circuit.retryAt ?? START;
      circuit = faulty({ ...circuit, state: 'half_open' }, now);
      waits.push(secondsOf(circuit, now));
    }
    expect(waits).toEqual([60, 120, 240, 480, 900, 900, 900]);
    expect(afterSign({ ...circuit, state: 'half_open' }, 'answered', START)).toEqual(CLOSED_CIRCUIT);
  });

  test('is not held open longer by those that were under way when it opened', () => {
    const open: Circuit = { state: 'open', faults: 5, openings: 1, retryAt: START };
    expect(faulty(open, new Date(START.getTime() + 9000))).toEqual({ ...open, faults: 6 });
  });

  test('lets the next one try at once when the first has found nothing out', () => {
    const trying: Circuit = { state: 'half_open', faults: 5, openings: 3, retryAt: START };
    const now = new Date(START.getTime() + 1000);
    expect(afterSign(trying, 'nothing', now)).toEqual({ ...trying, state: 'open', retryAt: now });
  });
});
