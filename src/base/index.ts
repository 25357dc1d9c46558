export { type Clock, systemClock } from './clock.ts';
export { ERROR_CODES, type ErrorCode } from './error-codes.ts';
export { AppError, type FieldError, invalidField, messageOf } from './errors.ts';
export { foldText } from './fold.ts';
export { newRequestId, randomBase62 } from './ids.ts';
export { createLogger, type Logger, redactKeys } from './log.ts';
export { createPermits, type Permits } from './permits.ts';
export { createSingleFlight, type SingleFlight } from './single-flight.ts';
export { DAY_MS, GIB, HOUR_MS, KIB, MIB, MINUTE_MS, SECOND_MS } from './units.ts';
