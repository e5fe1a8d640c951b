/* Pieces of Markdown. */

/** Text as code. */
export const code = (text: string | number): string => `\`${text}\``;

const cell = (text: unknown): string => String(text).replaceAll('|', '\\|');

/** A table, with its head. */
export const table = (head: readonly string[], rows: readonly (readonly unknown[])[]): string =>
  [head, head.map(() => '---'), ...rows].map((row) => `| ${row.map(cell).join(' | ')} |`).join('\n');

/** A value as a block of JSON. */
export const json = (value: unknown): string => `\`\`\`json\n${JSON.stringify(value, null, 2)}\n\`\`\``;
