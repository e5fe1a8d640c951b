// The types of bodies and queries in packages/sdk and clients/python, made from the schemas of the contract.
import { adminStatuses } from '@parcelway/contracts/admin-status';
import type { JsonSchema } from '@parcelway/contracts/description/json-schema';
import { forecastStatuses } from '@parcelway/contracts/forecast-status';
import type { RouteDefinition } from '@parcelway/contracts/route';
import { routes } from '@parcelway/contracts/routes';
import { BOOLEAN_PATTERN, FORECAST_STATUS_PATTERN, integerPatternMaximum } from '@parcelway/contracts/text';
import { webhookBodies } from '@parcelway/contracts/webhook-bodies';

/** A schema that has a type of its own. */
export type NamedSchema = JsonSchema & { readonly $id: string };

const isObject = (value: unknown): value is JsonSchema => value !== null && typeof value === 'object';
const isSchema = (value: unknown): value is NamedSchema => isObject(value) && typeof value.$id === 'string';

const byName = (a: NamedSchema, b: NamedSchema): number => (a.$id < b.$id ? -1 : 1);

/** The schemas of the bodies of webhooks, each with its type fixed. */
const bodies = Object.values<unknown>(webhookBodies).filter(isSchema).sort(byName);

/** Schemas without a type of their own in the clients: their fields are written where they are used. */
const inline = new Set([
  'EventFeedItem',
  'EventFeedItemData',
  'ListenMessage',
  'Measurement',
  'MeasurementReporter',
  'ParcelException',
  'ParcelHold',
  'ReceivedItem',
  'ReportPhoto',
  'WeightAndVolume',
  ...bodies.map(({ properties }) => properties?.['data']?.$id),
]);

/** Name → schema that a request, a response or a webhook contains. */
const met = new Map<string, NamedSchema>();
function meet(value: unknown) {
  if (!isObject(value) || met.has(value.$id ?? '')) return;
  if (isSchema(value)) met.set(value.$id, value);
  for (const part of Object.values(value)) meet(part);
}
meet(routes);
meet(bodies);

/** Schemas that the clients have a type for, by name, and the bodies of webhooks, whose union is `WebhookEvent`. */
export const clientSchemas = {
  named: [...met.values()].filter(({ $id }) => !inline.has($id)).sort(byName),
  webhooks: bodies,
};

const names = new Set(clientSchemas.named.map(({ $id }) => $id));

/** First line of a generated file. */
export const HEAD = '// Made from the contract by each build; do not edit.\n';

const quote = (value: unknown) => (typeof value === 'string' ? `'${value.replaceAll("'", "\\'")}'` : String(value));
const property = (name: string) => (/^[A-Za-z_$][\w$]*$/.test(name) ? name : quote(name));
/** What a schema is, in words: its own, or those of its first branch that has some. */
export const describe = (schema: JsonSchema): string | undefined =>
  schema.description ?? schema.anyOf?.find(({ description }) => description)?.description;
/** A text as a doc comment on a line of its own; nothing when there is no text. */
export const comment = (text: string | undefined, indent: string) => (text ? `${indent}/** ${text.replaceAll('*/', '*\\/')} */\n` : '');

/** The type of a number, truth value or word in a query, where the contract has text with a pattern. */
function queryType(pattern: string | undefined): string | undefined {
  if (pattern === undefined) return undefined;
  if (pattern in integerPatternMaximum) return 'number';
  if (pattern === BOOLEAN_PATTERN) return 'boolean';
  if (pattern !== FORECAST_STATUS_PATTERN) return undefined;
  return [...Object.values(forecastStatuses), ...Object.keys(forecastStatuses)].map(quote).join(' | ');
}

function objectType(schema: JsonSchema, indent: string): string {
  const { properties = {}, required = [], patternProperties } = schema;
  const names = Object.keys(properties);
  if (names.length === 0 && patternProperties)
    return `Readonly<Record<string, ${typeOf(Object.values(patternProperties)[0] ?? {}, indent)}>>`;
  if (names.length === 0) return 'Readonly<Record<string, unknown>>';
  const inner = `${indent}  `;
  const lines = names.map((name) => {
    const optional = required.includes(name) ? '' : '?';
    const field = properties[name] ?? {};
    // The platform reads several types from one text with commas; the client joins them.
    const type = name === 'event_types' && field.type === 'string' ? "readonly WebhookEvent['type'][]" : typeOf(field, inner);
    return `${comment(describe(field), inner)}${inner}readonly ${property(name)}${optional}: ${type};\n`;
  });
  return `{\n${lines.join('')}${indent}}`;
}

/** Schemas that the contract keeps open → what they are to a caller. */
export const standIns: Readonly<Record<string, string>> = { EventFeedItem: 'WebhookEvent' };

/** A schema as a TypeScript type; a schema that has a name is referred to by it. */
export function typeOf(schema: JsonSchema, indent = ''): string {
  const { $id } = schema;
  return standIns[$id ?? ''] ?? ($id !== undefined && names.has($id) ? $id : bodyOf(schema, indent));
}

const union = (types: readonly string[]) => [...new Set(types)].join(' | ');

function arrayType(items: JsonSchema, indent: string): string {
  const element = typeOf(items, indent);
  return `readonly ${/[|{]/.test(element) && !element.startsWith('{') ? `(${element})` : element}[]`;
}

function enumType(values: readonly unknown[]): string {
  if (!adminStatuses.every((status) => values.includes(status))) return union(values.map(quote));
  return union([...values.filter((value) => !adminStatuses.some((status) => status === value)).map(quote), 'AdminStatus']);
}

function bodyOf(schema: JsonSchema, indent: string): string {
  const branches = schema.anyOf ?? schema.oneOf;
  // `anyOf` beside properties adds conditions (one of two fields is needed), which no type expresses.
  if (branches && !schema.properties) return union(branches.map((branch) => typeOf(branch, indent)));
  if (schema.const !== undefined) return quote(schema.const);
  if (schema.enum) return enumType(schema.enum);
  if (schema.type === 'object') return objectType(schema, indent);
  if (schema.type === 'array') return arrayType(schema.items ?? {}, indent);
  const simple: Readonly<Record<string, string>> = {
    string: queryType(schema.pattern) ?? 'string',
    integer: 'number',
    number: 'number',
    boolean: 'boolean',
    null: 'null',
  };
  const type = simple[schema.type ?? ''];
  if (!type) throw new Error(`tools/contracts/src/sdk-types.ts has no type for ${JSON.stringify(schema)}`);
  return type;
}

/** The JSON body of a route: `undefined` when it has none, a kind of `Upload` for a file. */
export function bodyType(route: RouteDefinition): string {
  if (route.body === undefined) return 'undefined';
  if (route.body === 'multipart') return route.tag === 'Imports' ? 'ImportUpload' : route.id === 'uploadPdf' ? 'PdfUpload' : 'Upload';
  return typeOf(route.body as JsonSchema, '    ');
}

function declaration(schema: NamedSchema): string {
  const body = bodyOf(schema, '');
  const head = comment(schema.description ?? schema.title ?? words(schema.$id), '');
  return body.startsWith('{') ? `${head}export interface ${schema.$id} ${body}\n` : `${head}export type ${schema.$id} = ${body};\n`;
}

/** `ForecastListQuery` → `Forecast list query`. */
export const words = (name: string) => name.replace(/(?<=.)([A-Z])/g, (letter: string) => ` ${letter.toLowerCase()}`);

/** Types that are no schema of their own in the contract. */
const aliases = `/** Status of a parcel in transit, as the platform reports it. */
export type AdminStatus = ${union(adminStatuses.map(quote))};

/** The endpoint after a rotation, with its new secret. */
export type SecretRotated = EndpointCreated;

/** An event as a webhook and the feed carry it; \`type\` says which. */
export type WebhookEvent = ${union(bodies.map(({ $id }) => $id))};
`;

/** Text of the file with the types of bodies and queries. */
export const sdkTypes = (): string => [HEAD, aliases, ...clientSchemas.named.map(declaration)].join('\n');
