/** The guides, in the order of their navigation. */
export const guides: ReadonlyArray<{ readonly name: string; readonly lead: string }>;
