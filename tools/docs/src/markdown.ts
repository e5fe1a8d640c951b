import type { JsonSchema } from '@parcelway/contracts/description/json-schema';
import { ruleOf, typeOf } from '@parcelway/contracts/description/schema-words';

/* Pieces of Markdown. */

/** Text as code. */
export const code = (text: string | number): string => `\`${text}\``;

const cell = (text: unknown): string => String(text).replaceAll('|', '\\|');

/** A table, with its head. */
export const table = (head: readonly string[], rows: readonly (readonly unknown[])[]): string =>
  [head, head.map(() => '---'), ...rows].map((row) => `| ${row.map(cell).join(' | ')} |`).join('\n');

/** A value as a block of JSON. */
export const json = (value: unknown): string => `\`\`\`json\n${JSON.stringify(value, null, 2)}\n\`\`\``;

/** The fields of an object; `also` says in other words when a field is required. */
export function fieldTable(
  schema: JsonSchema,
  { required = schema.required ?? [], also = {} }: { required?: readonly string[]; also?: Readonly<Record<string, string>> } = {},
): string {
  return table(
    ['Field', 'Type', 'Required', 'What is allowed', 'Meaning'],
    Object.entries(schema.properties ?? {}).map(([name, property]) => [
      code(name),
      typeOf(property),
      required.includes(name) ? 'yes' : (also[name] ?? 'no'),
      ruleOf(property),
      property.description ?? '',
    ]),
  );
}
