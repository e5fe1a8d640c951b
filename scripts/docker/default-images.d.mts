/** Images by the variables that replace them. */
export declare const defaultImages: Readonly<Record<string, string>>;
/** The image of a server. */
export declare function imageOf(variable: string): string;
