/** Exit codes: 0 done, 1 refused by the platform, 2 wrong usage, 3 installation not found or not reachable. */
export const exitCodes = { ok: 0, refused: 1, usage: 2, unreachable: 3 } as const;

/** An error that ends the run, with a message for the operator. */
export class CliError extends Error {
  readonly exitCode: number;
  /** What to do next. */
  readonly hint: string | undefined;

  constructor(exitCode: number, message: string, hint?: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.name = 'CliError';
    this.exitCode = exitCode;
    this.hint = hint;
  }
}

/** A wrong command line. */
export function usageError(message: string, hint = 'See --help'): CliError {
  return new CliError(exitCodes.usage, message, hint);
}
