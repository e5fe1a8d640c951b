import type { Mode } from '../arguments.ts';

/** What the marks of a mode are called. */
const labels: Readonly<Record<Mode, string>> = { embedded: 'bench', distributed: 'bench-distributed' };

/**
 * Puts the results into a document, between the two marks that it holds for those of a mode.
 * @throws Error when the document has no such marks
 */
export function withResults(document: string, results: string, mode: Mode): string {
  const opening = `<!-- ${labels[mode]}:begin -->`;
  const closing = `<!-- ${labels[mode]}:end -->`;
  const begin = document.indexOf(opening);
  const end = document.indexOf(closing);
  if (begin === -1 || end < begin) throw new Error(`The document has no place for results: ${opening} … ${closing}`);
  return `${document.slice(0, begin + opening.length)}\n${results}\n${document.slice(end)}`;
}
