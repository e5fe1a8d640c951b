const BEGIN = '<!-- bench:begin -->';
const END = '<!-- bench:end -->';

/**
 * Puts the results into a document, between the two marks that it holds for them.
 * @throws Error when the document has no such marks
 */
export function withResults(document: string, results: string): string {
  const begin = document.indexOf(BEGIN);
  const end = document.indexOf(END);
  if (begin === -1 || end < begin) throw new Error(`The document has no place for results: ${BEGIN} … ${END}`);
  return `${document.slice(0, begin + BEGIN.length)}\n${results}\n${document.slice(end)}`;
}
