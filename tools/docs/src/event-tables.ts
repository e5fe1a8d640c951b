import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { JsonSchema } from '@parcelway/contracts/description/json-schema';
import { ruleOf, typeOf } from '@parcelway/contracts/description/schema-words';
import { type DomainEventType, domainEventTypes, topicOf } from '@parcelway/contracts/domain-events';
import { domainEventExamples } from '@parcelway/contracts/examples';
import { type ServiceName, serviceNames } from '@parcelway/contracts/service-name';
import { warehouseEventSchemas } from '@parcelway/contracts/warehouse-api';
import { code, fieldTable, table } from './markdown.ts';

const schemas = warehouseEventSchemas as unknown as Readonly<Record<keyof typeof warehouseEventSchemas, JsonSchema>>;

/** The service that publishes an event. */
const publisherOf = (type: DomainEventType): string => domainEventExamples[type].source.split('/').at(-1) ?? '';

/** Events of other services that a service handles: its sources quote their types. None for a service that does not subscribe. */
function consumedBy(root: string, service: string): readonly DomainEventType[] {
  const folder = join(root, 'services', service, 'src');
  const source = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts') && !/\.(test|conformance)\.ts$|(^|\/)testing\//.test(name))
    .map((name) => readFileSync(join(folder, name), 'utf8'))
    .join('\n');
  if (!/\bbus\.subscribe/.test(source)) return [];
  return domainEventTypes.filter(
    (type) => publisherOf(type) !== service && new RegExp(`'${type.replace('.', '\\.')}'(\\(|:|,|\\])`).test(source),
  );
}

/** The services that consume each event. */
export function eventConsumers(root: string): ReadonlyMap<DomainEventType, readonly ServiceName[]> {
  const consumed = new Map(serviceNames.map((service) => [service, consumedBy(root, service)]));
  return new Map(domainEventTypes.map((type) => [type, serviceNames.filter((service) => consumed.get(service)?.includes(type))]));
}

/** Every event of the platform, with who publishes and who consumes it. */
export function eventTable(root: string): string {
  const consumers = eventConsumers(root);
  return table(
    ['Event', 'Topic', 'Published by', 'Consumed by', 'Data'],
    domainEventTypes.map((type) => {
      return [
        code(type),
        code(topicOf[type]),
        code(publisherOf(type)),
        (consumers.get(type) ?? []).map(code).join(', '),
        Object.keys(domainEventExamples[type].data).map(code).join(', '),
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
