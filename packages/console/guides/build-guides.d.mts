/** Every file that the guides are made from. */
export function guideSources(): string[];

/** Writes the pages and their assets. @param directory emptied before */
export function buildGuides(directory: string): void;
