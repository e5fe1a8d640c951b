/** The variables by which programs find a set. */
export declare function environmentOf(set: { readonly base: number; readonly cluster: boolean }): Record<string, string>;
/** The same as lines for `eval` in a POSIX shell. */
export declare function renderExports(environment: Readonly<Record<string, string>>): string;
