/** Names of all generated parts. */
export declare const partNames: readonly string[];
/** Names of the parts that a document has. */
export declare function partsIn(markdown: string): string[];
/** The document with its generated parts made anew. Throws Error for a name that nothing makes. */
export declare function withParts(markdown: string, root: string): string;
/** Every Markdown file of the documentation, as paths from the root. */
export declare function documents(root: string): string[];
