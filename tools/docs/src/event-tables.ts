import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { JsonSchema } from '@parcelway/contracts/description/json-schema';
import { ruleOf, typeOf } from '@parcelway/contracts/description/schema-words';
import { domainEventExamples } from '@parcelway/contracts/domain-event-examples';
import { domainEventTypes, topicOf } from '@parcelway/contracts/domain-events';
import { serviceNames } from '@parcelway/contracts/service-name';
import { warehouseEventSchemas } from '@parcelway/contracts/warehouse-api';
import { fieldTable } from './field-table.ts';
import { code, table } from './markdown.ts';

const schemas = warehouseEventSchemas as unknown as Readonly<Record<keyof typeof warehouseEventSchemas, JsonSchema>>;

/** Event types that the events adapters of a service have a handler for, or that they or `notified-events.ts` list for a handler of batches. */
function consumedBy(root: string, service: string): readonly string[] {
  const folder = join(root, 'services', service, 'src');
  const source = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => /(^|\/)(adapters\/([a-z-]+-)?|domain\/notified-)events\.ts$/.test(name))
    .map((name) => readFileSync(join(folder, name), 'utf8'))
    .join('\n');
  return domainEventTypes.filter((type) => new RegExp(`'${type.replace('.', '\\.')}'(\\(|:|,|\\])`).test(source));
}

/** Every event of the platform, with who publishes and who consumes it. */
export function eventTable(root: string): string {
  const consumed = Object.fromEntries(serviceNames.map((service) => [service, consumedBy(root, service)]));
  return table(
    ['Event', 'Topic', 'Published by', 'Consumed by', 'Data'],
    domainEventTypes.map((type) => {
      const example = domainEventExamples[type];
      const consumers = serviceNames.filter((service) => consumed[service]?.includes(type));
      return [
        code(type),
        code(topicOf[type]),
        code(example.source.split('/').at(-1) ?? ''),
        consumers.map(code).join(', '),
        Object.keys(example.data).map(code).join(', '),
      ];
    }),
  );
}

const anyType = { type: 'string', enum: Object.keys(schemas), description: 'What happened' };

/** What every event has. */
const commonEventFields: Readonly<Record<string, JsonSchema>> = Object.fromEntries(
  Object.entries(schemas.arrival.properties ?? {}).filter(([name]) =>
    Object.values(schemas).every((schema) => name in (schema.properties ?? {})),
  ),
);

/** A field, by its path. */
interface Field {
  readonly name: string;
  readonly property: JsonSchema;
  readonly required: boolean;
}

/** Fields with those of their elements: name, schema and whether it is required. */
function fieldsWithin(schema: JsonSchema, prefix = ''): Field[] {
  return Object.entries(schema.properties ?? {}).flatMap(([name, property]) => [
    { name: `${prefix}${name}`, property, required: schema.required?.includes(name) ?? false },
    ...(property.items?.properties ? fieldsWithin(property.items, `${prefix}${name}[].`) : []),
  ]);
}

/** The fields of the events of a warehouse that not every event has. */
export function warehouseEventTable(): string {
  const rows = new Map<string, { readonly types: string[]; readonly rest: readonly string[] }>();
  for (const [type, schema] of Object.entries(schemas)) {
    for (const { name, property, required } of fieldsWithin(schema)) {
      if (name in commonEventFields) continue;
      const rest = [code(name), typeOf(property), required ? 'yes' : 'no', ruleOf(property), property.description ?? ''];
      // One row for a field that several types share.
      const key = rest.join('|');
      rows.set(key, { types: [...(rows.get(key)?.types ?? []), code(type)], rest });
    }
  }
  return table(
    ['Event', 'Field', 'Type', 'Required', 'What is allowed', 'Meaning'],
    [...rows.values()].map(({ types, rest }) => [types.join(', '), ...rest]),
  );
}

/** The fields that every event of a warehouse has. */
export const commonEventTable = (): string =>
  fieldTable(
    { properties: { ...commonEventFields, type: anyType } },
    { required: schemas.arrival.required ?? [], also: { forecast_no: 'one of the two', express_no: 'one of the two' } },
  );
