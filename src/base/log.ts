import { pino, type DestinationStream, type Logger } from 'pino';

export type { Logger } from 'pino';

/** An API key in any text: `tl_` + 8 + `_` + 32 and a checksum. The visible part stays, the secret goes. */
const API_KEY_PATTERN = /tl_([0-9A-Za-z]{8})_[0-9A-Za-z]{6,}/g;

/** Replaces every API key inside a text by its visible part. */
export function redactKeys(text: string): string {
  return text
    .replace(API_KEY_PATTERN, 'tl_$1_[redacted]')
    .replace(/([?&]api_key=)(?!tl_[0-9A-Za-z]{8}_\[redacted\])[^&\s"#]*/gi, '$1[redacted]');
}

/**
 * The service's logger: one JSON object a line on standard error, a constant event name as message plus fields. Every line passes through
 * `redactKeys`, so a key cannot reach the log whatever field carries it.
 */
export function createLogger(options: { readonly level: string; readonly destination?: DestinationStream }): Logger {
  return pino(
    {
      level: options.level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      redact: {
        paths: [
          'authorization',
          '*.authorization',
          'headers',
          '*.headers',
          'password',
          '*.password',
          'secret',
          '*.secret',
        ],
        censor: '[redacted]',
      },
      hooks: { streamWrite: redactKeys },
    },
    options.destination ?? pino.destination({ dest: 2, sync: false }),
  );
}
