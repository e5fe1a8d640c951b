/** Rows of all commands of parcelctl: usage, what it does, its options. */
export declare function commandRows(...command: string[]): Promise<string[][]>;
