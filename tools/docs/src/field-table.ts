import type { JsonSchema } from '@parcelway/contracts/description/json-schema';
import { ruleOf, typeOf } from '@parcelway/contracts/description/schema-words';
import { code, table } from './markdown.ts';

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
