// An error may come from another realm (Jest runs tests in one of their own), so these look at its fields, not at its class.

const fieldOf = (error: unknown, field: 'code' | 'message'): unknown =>
  typeof error === 'object' && error !== null && field in error ? (error as Record<string, unknown>)[field] : undefined;

/** What a caught value says: the message of an error, or its text. */
export function messageOf(error: unknown): string {
  const message = fieldOf(error, 'message');
  return typeof message === 'string' ? message : String(error);
}

/** The code of a caught system or server error, such as `ENOENT`; undefined when it has none. */
export const codeOf = (error: unknown): unknown => fieldOf(error, 'code');
