export {
  afterSign,
  type Circuit,
  CIRCUIT_STATES,
  CLOSED_CIRCUIT,
  type TargetSign,
} from './circuit.ts';
export { type Clock, systemClock } from './clock.ts';
export { type Csv, CsvError, type CsvRow, decodeText, parseCsv } from './csv.ts';
export { ERROR_CODES, type ErrorCode } from './error-codes.ts';
export { AppError, type FieldError, invalidField, messageOf } from './errors.ts';
export { foldText } from './fold.ts';
export { newRequestId, randomBase62 } from './ids.ts';
export { createLogger, type Logger, redactKeys } from './log.ts';
export { type BroadcastMinute, broadcastMinute, periodStartMs } from './match-clock.ts';
export { createPermits, type Permits } from './permits.ts';
export { isLeftInP3 } from './picture-colour.ts';
export { checkPictureLimits } from './picture-limits.ts';
export { isProcessAlive } from './processes.ts';
export { openSecretBox, parseSecretKey, type SealedSecrets, type SecretBox } from './secret-box.ts';
export { createSingleFlight, type SingleFlight } from './single-flight.ts';
export {
  type FrameRate,
  frameToMs,
  frameToTimecode,
  framesPerDay,
  hasDropFrame,
  msToFrame,
  parseTimecode,
  timecodeAt,
  timecodeFormatFrom,
  type TimecodeFormat,
  timecodeToMs,
} from './timecode.ts';
export { DAY_MS, GIB, HOUR_MS, KIB, MIB, MINUTE_MS, SECOND_MS } from './units.ts';
export { allTools, findTools, missingCapabilities, type Tools } from './tools.ts';
export { wordsOf } from './words.ts';
