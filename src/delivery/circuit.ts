/** What the faults of deliveries say of their target. */
import type { TargetSign } from '../base/index.ts';

/** Of the whole target, not of one file. */
const TARGET_CODES: ReadonlySet<string> = new Set([
  'unreachable',
  'timeout',
  'connection_lost',
  'busy',
  'credentials',
  'disk_full',
]);
/** The target refused one file; so it answers. */
const ANSWERED_CODES: ReadonlySet<string> = new Set([
  'permission',
  'not_found',
  'name_illegal',
  'name_taken',
  'refused',
  'unsupported',
]);

/** `atOpening`: the session could not be opened, which is never the fault of a file. */
export function signOf(fault: { readonly code: string; readonly atOpening: boolean } | undefined): TargetSign {
  if (!fault) return 'answered';
  if (fault.atOpening || TARGET_CODES.has(fault.code)) return 'fault';
  return ANSWERED_CODES.has(fault.code) ? 'answered' : 'nothing';
}
