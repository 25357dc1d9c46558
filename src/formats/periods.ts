import { foldText } from '../base/index.ts';
import { lookUp } from './field-reader.ts';

const NAMES: Readonly<Record<string, number>> = {
  '1': 1,
  '2': 2,
  '3': 3,
  '4': 4,
  '5': 5,
  '1h': 1,
  '2h': 2,
  h1: 1,
  h2: 2,
  '1st half': 1,
  '2nd half': 2,
  'first half': 1,
  'second half': 2,
  et1: 3,
  et2: 4,
  'extra time 1': 3,
  'extra time 2': 4,
  'first half of extra time': 3,
  'second half of extra time': 4,
  p: 5,
  pens: 5,
  penalties: 5,
  'penalty shoot out': 5,
  'penalty shootout': 5,
  shootout: 5,
  'shoot out': 5,
};

/** A period by its number or by what it is called. */
export function readPeriod(text: string): number | undefined {
  return lookUp(NAMES, foldText(text));
}
