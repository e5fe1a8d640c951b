import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Folder of the repository. */
export const root = fileURLToPath(new URL('../../../..', import.meta.url));

/** Text of a file. @param name path from the root */
export const read = (name: string): string => readFileSync(join(root, name), 'utf8');

/** The text from a heading to the next one of its level or above. */
export function section(markdown: string, heading: string): string {
  const start = markdown.indexOf(`\n## ${heading}\n`);
  if (start === -1) throw new Error(`There is no section "${heading}"`);
  const end = markdown.indexOf('\n## ', start + 4);
  return markdown.slice(start, end === -1 ? undefined : end);
}

/** Cells of the table rows in a text, trimmed; heads and rulers included. */
export function rowsOf(markdown: string): string[][] {
  const lines = markdown.split('\n').filter((line) => line.startsWith('|'));
  return lines.map((line) =>
    line
      .slice(1, -1)
      .split(/(?<!\\)\|/)
      .map((cell) => cell.trim()),
  );
}
