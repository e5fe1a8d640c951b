// The types of packages/sdk, made from the contract: what the published client knows of the API without depending on it.
// `npm run docs` writes them; sdk-types.test.ts fails when one is stale.
import { adminStatuses } from '@parcelway/contracts/admin-status';
import * as eventFeedApi from '@parcelway/contracts/event-feed-api';
import * as fileApi from '@parcelway/contracts/file-api';
import * as forecastApi from '@parcelway/contracts/forecast-api';
import { forecastStatuses } from '@parcelway/contracts/forecast-status';
import { pathParameters, type RouteDefinition } from '@parcelway/contracts/route';
import { routes } from '@parcelway/contracts/routes';
import * as sandboxApi from '@parcelway/contracts/sandbox-api';
import { FORECAST_STATUS_PATTERN, integerPatternMaximum } from '@parcelway/contracts/text';
import * as trackingApi from '@parcelway/contracts/tracking-api';
import * as unclaimedApi from '@parcelway/contracts/unclaimed-api';
import * as warehouseApi from '@parcelway/contracts/warehouse-api';
import * as warehouseViewApi from '@parcelway/contracts/warehouse-view-api';
import * as webhookBodies from '@parcelway/contracts/webhook-bodies';
import * as webhookDeliveryApi from '@parcelway/contracts/webhook-delivery-api';
import * as webhookEndpointApi from '@parcelway/contracts/webhook-endpoint-api';
import { sentEventTypes } from '@parcelway/contracts/webhook-event-types';
import type { JsonSchema } from './json-schema.ts';

/** File name → the module of the contract whose named schemas it holds. */
const modules = {
  'event-feed-api': eventFeedApi,
  'file-api': fileApi,
  'forecast-api': forecastApi,
  'sandbox-api': sandboxApi,
  'tracking-api': trackingApi,
  'unclaimed-api': unclaimedApi,
  'warehouse-api': warehouseApi,
  'warehouse-view-api': warehouseViewApi,
  'webhook-bodies': webhookBodies,
  'webhook-delivery-api': webhookDeliveryApi,
  'webhook-endpoint-api': webhookEndpointApi,
};

/** A schema that has a type of its own. */
type NamedSchema = JsonSchema & { readonly $id: string };

const FOLDER = 'packages/sdk/src/generated';
const HEAD = '// Made from the contract by `npm run docs`; do not edit.\n';

const isObject = (value: unknown): value is JsonSchema => value !== null && typeof value === 'object';
const isSchema = (value: unknown): value is NamedSchema => isObject(value) && typeof value.$id === 'string';

/** The schemas of the bodies of webhooks, each with its type fixed. */
const bodies = Object.values<unknown>(webhookBodies)
  .filter(isSchema)
  .filter(({ properties }) => sentEventTypes.some((type) => type === properties?.['type']?.const));

/** Names of the schemas that a caller or receiver meets; others in the same modules are the operator's. */
const met = new Set<string>();
function meet(value: unknown) {
  if (!isObject(value) || met.has(value.$id ?? '')) return;
  if (isSchema(value)) met.add(value.$id);
  for (const part of Object.values(value)) meet(part);
}
meet(routes);
meet(bodies);

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
    file: 'webhook-bodies',
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
const describe = (schema: JsonSchema): string | undefined =>
  schema.description ?? schema.anyOf?.find(({ description }) => description)?.description;
const comment = (text: string | undefined, indent: string) => (text ? `${indent}/** ${text.replaceAll('*/', '*\\/')} */\n` : '');

/** The type of a number or word in a query, where the contract has text with a pattern. */
function queryType(pattern: string | undefined): string | undefined {
  if (pattern === undefined) return undefined;
  if (pattern in integerPatternMaximum) return 'number';
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
const standIns: Readonly<Record<string, string>> = { EventFeedItem: 'WebhookEvent' };

/** A schema as a TypeScript type; a schema that has a name is referred to by it. */
function typeOf(schema: JsonSchema, indent = ''): string {
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
const words = (name: string) => name.replace(/(?<=.)([A-Z])/g, (letter: string) => ` ${letter.toLowerCase()}`);

/** Import lines for the names that a text uses and does not declare. */
function importsFor(text: string, file: string) {
  const used = [...homes].filter(([name, home]) => home !== file && new RegExp(`(?<![\\w'])${name}(?![\\w'])`).test(text));
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
  const imports = importsFor(text.replace(/\/\*\*.*\*\//g, ''), file);
  return `${HEAD}${imports}${imports === '' ? '' : '\n'}${text}`;
}

/** The JSON body of a route: `undefined` when it has none, `Upload` for a file. */
function bodyType(route: RouteDefinition) {
  if (route.body === undefined) return 'undefined';
  if (route.body === 'multipart') return 'Upload';
  return `${typeOf(route.body as JsonSchema, '    ')}${route.bodyOptional ? ' | undefined' : ''}`;
}

function routeType(route: RouteDefinition) {
  const path = pathParameters(route.path);
  const fields = [
    ['path', path.length === 0 ? 'undefined' : `{ ${path.map((name) => `readonly ${name}: string`).join('; ')} }`],
    ['query', route.query ? typeOf(route.query as JsonSchema, '    ') : 'undefined'],
    ['body', bodyType(route)],
    ['data', route.data === 'binary' ? 'Content' : typeOf(route.data as JsonSchema, '    ')],
  ];
  const lines = fields.map(([name, type]) => `    readonly ${name}: ${type};\n`).join('');
  return `${comment(`${route.summary}: \`${route.method} ${route.path}\``, '  ')}  readonly ${route.id}: {\n${lines}  };\n`;
}

function routesText() {
  const types = routes.map(routeType).join('');
  const table = routes
    .map((route) => `  ${route.id}: { method: '${route.method}', path: '${route.path}', takesKey: ${route.idempotencyKey === true} },\n`)
    .join('');
  return [
    HEAD,
    importsFor(types.replace(/\/\*\*.*\*\//g, ''), 'routes'),
    "import type { Content, Upload } from '../content.ts';\n\n",
    `/** What each route takes and gives. */\nexport interface RouteTypes {\n${types}}\n\n`,
    `/** Where each route is, and whether it takes the header Idempotency-Key. */\nexport const routes = {\n${table}} as const satisfies Record<keyof RouteTypes, { method: string; path: string; takesKey: boolean }>;\n`,
  ].join('');
}

/** Path from the root → content, for every generated file of the SDK. */
export function sdkFiles() {
  const files = Object.entries(modules).map(([file, module]): [string, string] => [`${FOLDER}/${file}.ts`, moduleText(file, module)]);
  return new Map([...files, [`${FOLDER}/routes.ts`, routesText()]]);
}
