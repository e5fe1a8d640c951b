/** Structured fields of a log line. Never a key, a secret or a document. */
export type LogFields = Readonly<Record<string, unknown>>;

/** The logging port: fields first, message second. Implemented by pino in `platform/logging`. */
export interface Logger {
  debug(fields: LogFields, message: string): void;
  info(fields: LogFields, message: string): void;
  warn(fields: LogFields, message: string): void;
  error(fields: LogFields, message: string): void;
  child(fields: LogFields): Logger;
}

/** A logger that drops everything; for unit tests that assert on outcomes, not on logs. */
export const silentLogger: Logger = {
  debug() {},
  info() {},
  warn() {},
  error() {},
  child: () => silentLogger,
};
