/** What a caught value says: the message of an error, or its text. */
export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** The code of a caught system or server error, such as `ENOENT`; undefined when it has none. */
export const codeOf = (error: unknown): unknown => (error instanceof Error && 'code' in error ? error.code : undefined);
