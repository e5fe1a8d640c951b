// The types of bodies and queries in packages/sdk, made from the schemas of the contract: one file for each module of the contract,
// and one for the webhooks of each subject.

import * as activityApi from '@parcelway/contracts/activity-api';
import { adminStatuses } from '@parcelway/contracts/admin-status';
import * as carrierApi from '@parcelway/contracts/carrier-api';
import * as carrierConnectionApi from '@parcelway/contracts/carrier-connection-api';
import * as consoleApi from '@parcelway/contracts/console-api';
import type { JsonSchema } from '@parcelway/contracts/description/json-schema';
import * as eventFeedApi from '@parcelway/contracts/event-feed-api';
import * as fileApi from '@parcelway/contracts/file-api';
import * as forecastApi from '@parcelway/contracts/forecast-api';
import * as forecastBatchApi from '@parcelway/contracts/forecast-batch-api';
import * as forecastCorrectionApi from '@parcelway/contracts/forecast-correction-api';
import * as forecastCountsApi from '@parcelway/contracts/forecast-counts-api';
import * as forecastQueryApi from '@parcelway/contracts/forecast-query-api';
import { forecastStatuses } from '@parcelway/contracts/forecast-status';
import * as forecastSubmissionApi from '@parcelway/contracts/forecast-submission-api';
import * as forecastValidationApi from '@parcelway/contracts/forecast-validation-api';
import * as importApi from '@parcelway/contracts/import-api';
import * as keyApi from '@parcelway/contracts/key-api';
import * as ownFilesApi from '@parcelway/contracts/own-files-api';
import * as ownImagesApi from '@parcelway/contracts/own-images-api';
import * as poNumber from '@parcelway/contracts/po-number';
import { routes } from '@parcelway/contracts/routes';
import * as sandboxApi from '@parcelway/contracts/sandbox-api';
import { BOOLEAN_PATTERN, FORECAST_STATUS_PATTERN, integerPatternMaximum } from '@parcelway/contracts/text';
import * as trackingApi from '@parcelway/contracts/tracking-api';
import * as unclaimedApi from '@parcelway/contracts/unclaimed-api';
import * as warehouseApi from '@parcelway/contracts/warehouse-api';
import * as warehouseViewApi from '@parcelway/contracts/warehouse-view-api';
import * as warnings from '@parcelway/contracts/warnings';
import * as webhookBodies from '@parcelway/contracts/webhook-bodies';
import * as webhookDeliveryApi from '@parcelway/contracts/webhook-delivery-api';
import * as webhookEndpointApi from '@parcelway/contracts/webhook-endpoint-api';
import { sentEventTypes } from '@parcelway/contracts/webhook-event-types';
import * as webhookFiguresApi from '@parcelway/contracts/webhook-figures-api';
import * as weighingApi from '@parcelway/contracts/weighing-api';

/** A schema that has a type of its own. */
export type NamedSchema = JsonSchema & { readonly $id: string };

const isObject = (value: unknown): value is JsonSchema => value !== null && typeof value === 'object';
const isSchema = (value: unknown): value is NamedSchema => isObject(value) && typeof value.$id === 'string';

/** The schemas of the bodies of webhooks, each with its type fixed. */
const bodies = Object.values<unknown>(webhookBodies)
  .filter(isSchema)
  .filter(({ properties }) => sentEventTypes.some((type) => type === properties?.['type']?.const));

/** What a webhook is about: the first word of its type, such as `parcel`. */
const subjectOf = (body: NamedSchema) => String(body.properties?.['type']?.const).replace(/\..*/, '');

/** File name → schemas of the webhooks about one subject. */
const webhooks: Readonly<Record<string, object>> = Object.fromEntries(
  [...new Set(bodies.map(subjectOf))].map((subject) => [`${subject}-webhooks`, bodies.filter((body) => subjectOf(body) === subject)]),
);

/** File name → the module of the contract whose named schemas it holds. */
const modules: Readonly<Record<string, object>> = {
  'carrier-api': carrierApi,
  'carrier-connection-api': carrierConnectionApi,
  'event-feed-api': eventFeedApi,
  'file-api': fileApi,
  'forecast-api': forecastApi,
  'forecast-batch-api': forecastBatchApi,
  'forecast-correction-api': forecastCorrectionApi,
  'forecast-counts-api': forecastCountsApi,
  'forecast-query-api': forecastQueryApi,
  'forecast-submission-api': forecastSubmissionApi,
  'forecast-validation-api': forecastValidationApi,
  'own-files-api': ownFilesApi,
  'own-images-api': ownImagesApi,
  'activity-api': activityApi,
  'console-api': consoleApi,
  'key-api': keyApi,
  'import-api': importApi,
  'po-number': poNumber,
  'sandbox-api': sandboxApi,
  'tracking-api': trackingApi,
  'unclaimed-api': unclaimedApi,
  'warehouse-api': warehouseApi,
  'warehouse-view-api': warehouseViewApi,
  warnings,
  'webhook-delivery-api': webhookDeliveryApi,
  'webhook-endpoint-api': webhookEndpointApi,
  'webhook-figures-api': webhookFiguresApi,
  'weighing-api': weighingApi,
  ...webhooks,
  // Holds the union of all webhooks.
  'webhook-event': {},
};

/** Folder of the generated files, from the root. */
export const FOLDER = 'packages/sdk/src/generated';

/** First line of every generated file. */
export const HEAD = '// Made from the contract by `npm run docs`; do not edit.\n';

/** Names of the schemas that a caller or receiver meets; others in the same modules are the operator's. */
const met = new Set<string>();
function meet(value: unknown) {
  if (!isObject(value) || met.has(value.$id ?? '')) return;
  if (isSchema(value)) met.add(value.$id);
  for (const part of Object.values(value)) meet(part);
}
meet(routes);
meet(bodies);

/** Every schema that has a type of its own in the clients, and the bodies of webhooks, of which `WebhookEvent` is one. */
export const clientSchemas = (): { readonly named: readonly NamedSchema[]; readonly webhooks: readonly NamedSchema[] } => ({
  named: Object.values(modules).flatMap(namedIn),
  webhooks: bodies,
});

const namedIn = (module: object): NamedSchema[] => {
  const named = Object.values(module as Record<string, unknown>).filter(isSchema);
  const byName = new Map(named.filter(({ $id }) => met.has($id)).map((schema) => [schema.$id, schema]));
  return [...byName.values()];
};

/** Types that are no schema of their own in the contract → file and declaration. */
const aliases = {
  AdminStatus: {
    file: 'tracking-api',
    text: () =>
      `/** Status of a parcel in transit, as the platform reports it. */\nexport type AdminStatus = ${union(adminStatuses.map(quote))};\n`,
  },
  SecretRotated: {
    file: 'webhook-endpoint-api',
    text: () => '/** The endpoint after a rotation, with its new secret. */\nexport type SecretRotated = EndpointCreated;\n',
  },
  WebhookEvent: {
    file: 'webhook-event',
    text: () =>
      `/** An event as a webhook and the feed carry it; \`type\` says which. */\nexport type WebhookEvent = ${union(bodies.map(({ $id }) => $id))};\n`,
  },
};

/** Name of a type → file that holds it. */
const homes = new Map<string, string>([
  ...Object.entries(modules).flatMap(([file, module]) => namedIn(module).map(({ $id }): [string, string] => [$id, file])),
  ...Object.entries(aliases).map(([name, { file }]): [string, string] => [name, file]),
]);

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
    return `${comment(describe(properties[name] ?? {}), inner)}${inner}readonly ${property(name)}${optional}: ${typeOf(properties[name] ?? {}, inner)};\n`;
  });
  return `{\n${lines.join('')}${indent}}`;
}

/** Schemas that the contract keeps open → what they are to a caller. */
export const standIns: Readonly<Record<string, string>> = { EventFeedItem: 'WebhookEvent' };

/** A schema as a TypeScript type; a schema that has a name is referred to by it. */
export function typeOf(schema: JsonSchema, indent = ''): string {
  const { $id } = schema;
  if ($id === undefined || !homes.has($id)) return standIns[$id ?? ''] ?? bodyOf(schema, indent);
  return standIns[$id] ?? $id;
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
  if (!type) throw new Error(`tools/docs/src/sdk-types.ts has no type for ${JSON.stringify(schema)}`);
  return type;
}

function declaration(schema: NamedSchema): string {
  const body = bodyOf(schema, '');
  const head = comment(schema.description ?? schema.title ?? words(schema.$id), '');
  return body.startsWith('{') ? `${head}export interface ${schema.$id} ${body}\n` : `${head}export type ${schema.$id} = ${body};\n`;
}

/** `ForecastListQuery` → `Forecast list query`. */
export const words = (name: string) => name.replace(/(?<=.)([A-Z])/g, (letter: string) => ` ${letter.toLowerCase()}`);

/** Import lines for the names that a text of a generated file uses and does not declare. @param file its name, without folder and ending */
export function importsFor(text: string, file: string): string {
  const code = text.replace(/\/\*\*.*\*\//g, '');
  const used = [...homes].filter(([name, home]) => home !== file && new RegExp(`(?<![\\w'])${name}(?![\\w'])`).test(code));
  const files = [...new Set(used.map(([, home]) => home))].sort();
  return files
    .map((home) => {
      const names = used.filter(([, other]) => other === home).map(([name]) => name);
      return `import type { ${names.sort().join(', ')} } from './${home}.ts';\n`;
    })
    .join('');
}

function moduleText(file: string, module: object) {
  const further = Object.values(aliases).filter((alias) => alias.file === file);
  const text = [...namedIn(module).map(declaration), ...further.map((alias) => alias.text())].join('\n');
  const imports = importsFor(text, file);
  return `${HEAD}${imports}${imports === '' ? '' : '\n'}${text}`;
}

/** Path from the root → content, for the files that hold the types of bodies and queries. */
export const sdkTypeFiles = (): [string, string][] =>
  Object.entries(modules).map(([file, module]) => [`${FOLDER}/${file}.ts`, moduleText(file, module)]);
