/** Sentence for people that there is no set where the environment says, and how to reach those that run elsewhere. */
export declare function missingSet(places: { readonly cache: string; readonly run: string; readonly base: number }): string;
