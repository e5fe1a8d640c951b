import type { Logger } from '@parcelway/kernel/logger';
import { pino } from 'pino';
import { LogOutput } from './log-output.ts';

/** Field names whose values never reach a log, wherever they stand. */
const SECRET_FIELDS = ['api_key', 'key', 'secret', 'token', 'authorization', 'x-api-key'];

/**
 * Structured logs as JSON lines on standard error; standard output stays free for what a person asked for.
 * @param level pino's level names, or `silent`
 */
export function createLogger(level: string, output = new LogOutput(2)): Logger {
  return pino(
    {
      level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      redact: { paths: SECRET_FIELDS.flatMap((name) => [`["${name}"]`, `*["${name}"]`]), censor: '[redacted]' },
    },
    output,
  );
}
