import type { LogFields, Logger } from '@parcelway/kernel/logger';
import { type Logger as PinoLogger, pino } from 'pino';
import { LogOutput } from './log-output.ts';

/** Field names whose values never reach a log, wherever they stand. */
const SECRET_FIELDS = ['api_key', 'key', 'secret', 'token', 'authorization', 'x-api-key'];

function adapt(logger: PinoLogger): Logger {
  return {
    debug: (fields: LogFields, message: string) => logger.debug(fields, message),
    info: (fields: LogFields, message: string) => logger.info(fields, message),
    warn: (fields: LogFields, message: string) => logger.warn(fields, message),
    error: (fields: LogFields, message: string) => logger.error(fields, message),
    child: (fields: LogFields) => adapt(logger.child(fields)),
  };
}

/**
 * Structured logs as JSON lines on standard error; standard output stays free for what a person asked for.
 * @param level pino's level names, or `silent`
 */
export function createLogger(level: string, output = new LogOutput(2)): Logger {
  const logger = pino(
    {
      level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      redact: { paths: SECRET_FIELDS.flatMap((name) => [`["${name}"]`, `*["${name}"]`]), censor: '[redacted]' },
    },
    output,
  );
  return adapt(logger);
}
