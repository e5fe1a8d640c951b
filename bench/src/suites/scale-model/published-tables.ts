/** A table of a published page: cells by line, the head left out. */
export interface PublishedTable {
  readonly columns: readonly string[];
  readonly lines: readonly (readonly string[])[];
}

const cellsOf = (line: string): string[] =>
  line
    .slice(1, line.lastIndexOf('|'))
    .split('|')
    .map((cell) => cell.trim());

/**
 * The first table after a heading.
 * @param page in Markdown
 * @throws Error when there is no such heading, or no table below it
 */
export function tableBelow(page: string, heading: string): PublishedTable {
  const lines = page.split('\n');
  const at = lines.findIndex((line) => /^#{2,4} /.test(line) && line.replace(/^#+ /, '') === heading);
  if (at === -1) throw new Error(`The page has no heading "${heading}"`);
  const rest = lines.slice(at + 1);
  const end = rest.findIndex((line) => line.startsWith('#'));
  const section = end === -1 ? rest : rest.slice(0, end);
  const first = section.findIndex((line) => line.startsWith('|'));
  if (first === -1) throw new Error(`There is no table below "${heading}"`);
  const length = section.slice(first).findIndex((line) => !line.startsWith('|'));
  const table = section.slice(first, length === -1 ? undefined : first + length).map(cellsOf);
  return { columns: table[0] as string[], lines: table.slice(2) };
}

/** A published number: `1,234` or `0.5`. @throws Error for anything else */
export function numberIn(cell: string | undefined, what: string): number {
  if (cell === undefined || !/^\d[\d,]*(\.\d+)?$/.test(cell)) throw new Error(`${what} is "${cell}" where a number belongs`);
  return Number(cell.replaceAll(',', ''));
}

/**
 * A number of a published table.
 * @param names of the line, as its first cells have them
 * @throws Error when the table has no such line, or column, or no number there
 */
export function publishedNumber(table: PublishedTable, names: readonly string[], column: string): number {
  const what = `${names.join(', ')}: ${column}`;
  const at = table.columns.indexOf(column);
  if (at === -1) throw new Error(`A published table lacks the column ${column}; it has ${table.columns.join(', ')}`);
  const line = table.lines.find((cells) => names.every((name, index) => cells[index] === name));
  if (line === undefined) throw new Error(`A published table lacks the line ${names.join(', ')}`);
  return numberIn(line[at], what);
}
