import type { Data } from './admin-client.ts';

/** A column: heading, and the field or the function that gives its cells. */
export type Column = readonly [heading: string, cell: string | ((row: Data) => unknown)];

const WIDE =
  /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]|[\u{1f300}-\u{1faff}\u{20000}-\u{3fffd}]/u;

/** Columns of a terminal that a text takes: East Asian characters take two. */
export function displayWidth(text: string): number {
  let width = 0;
  for (const character of text) width += WIDE.test(character) ? 2 : 1;
  return width;
}

/** A value as a cell: `-` for none, lists with commas. What could steer the terminal becomes a blank. */
export function cellText(value: unknown): string {
  if (value === null || value === undefined || value === '') return '-';
  if (Array.isArray(value)) return value.length === 0 ? '-' : value.map(cellText).join(',');
  const text = typeof value === 'object' ? JSON.stringify(value) : String(value);
  return text.replace(/[\p{Cc}\p{Cf}\u2028\u2029]+/gu, ' ');
}

function pad(text: string, width: number): string {
  return text + ' '.repeat(Math.max(0, width - displayWidth(text)));
}

/**
 * Rows as an aligned table with headings.
 * @param none what to say when there are no rows
 */
export function renderTable(rows: readonly Data[], columns: readonly Column[], none: string): string {
  if (rows.length === 0) return `${none}\n`;
  const cells = rows.map((row) => columns.map(([, cell]) => cellText(typeof cell === 'string' ? row[cell] : cell(row))));
  const lines = [columns.map(([heading]) => heading), ...cells];
  const widths = columns.map((_, index) => Math.max(...lines.map((line) => displayWidth(line[index] as string))));
  return lines
    .map(
      (line) =>
        `${line
          .map((text, index) => pad(text, widths[index] as number))
          .join('  ')
          .trimEnd()}\n`,
    )
    .join('');
}

/** The fields of an object; those of an object in it by `outer.inner`. */
function fieldsOf(record: Data): Array<readonly [name: string, value: unknown]> {
  return Object.entries(record).flatMap(([name, value]) => {
    if (name === 'warnings' && Array.isArray(value) && value.length === 0) return [];
    const isPlain = typeof value === 'object' && value !== null && !Array.isArray(value) && Object.keys(value).length > 0;
    return isPlain ? Object.entries(value).map(([inner, one]) => [`${name}.${inner}`, one] as const) : [[name, value] as const];
  });
}

/** One object as aligned lines of name and value. */
export function renderRecord(record: Data): string {
  const fields = fieldsOf(record).map(([name, value]) => [cellText(name), value] as const);
  const width = Math.max(0, ...fields.map(([name]) => displayWidth(name)));
  return fields.map(([name, value]) => `${pad(name, width)}  ${cellText(value)}\n`).join('');
}
