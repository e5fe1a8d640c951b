/** Services whose rules are mutated. */
export declare const services: readonly string[];
/** Files of a service that are mutated, from the root. */
export declare function sourcesOf(service: string): readonly string[];
/** Tests of a service that judge its mutants, from the root. */
export declare function testsOf(service: string): readonly string[];
/** What a copy of the tree for one service leaves out. */
export declare function othersThan(service: string): readonly string[];
