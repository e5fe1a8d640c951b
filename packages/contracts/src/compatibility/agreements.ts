import type { JsonObject } from '../openapi-schemas.ts';
import type { ContractBundle } from './contract-bundle.ts';
import type { AgreementKind } from './finding.ts';
import { alternativesOf, propertiesOf, resolved } from './json-schema.ts';

/** What two sides rely on, as a schema of everything that is agreed: also headers, statuses and topics are its fields. */
export interface Agreement {
  readonly kind: AgreementKind;
  readonly schema: JsonObject;
  /** Name of the agreement that this one belongs to: it may come and go while that one stays. */
  readonly of?: string;
}

type Named = readonly [name: string, agreement: Agreement];

const object = (properties: JsonObject, required: readonly string[] = []): JsonObject => ({ type: 'object', properties, required });
const partOf = (part: JsonObject, name: string): JsonObject => (part[name] ?? {}) as JsonObject;
const entriesOf = (part: JsonObject, name: string) => Object.entries(partOf(part, name) as Readonly<Record<string, JsonObject>>);
const headersOf = (response: JsonObject): JsonObject =>
  object(Object.fromEntries(entriesOf(response, 'headers').map(([name]) => [name, {}])));
const jsonOf = (part: JsonObject): JsonObject => partOf(partOf(partOf(part, 'content'), 'application/json'), 'schema');

/** What is sent: its media types, and the schema of JSON. */
function contentOf(part: JsonObject): JsonObject {
  const types = entriesOf(part, 'content').map(([type]) => type);
  return { content: { enum: types.length === 0 ? ['none'] : types }, body: jsonOf(part) };
}

/** The parameters at a place, such as `query`. */
function parametersIn(operation: JsonObject, place: string): JsonObject {
  const found = ((operation['parameters'] ?? []) as JsonObject[]).filter((each) => each['in'] === place);
  const names = found.filter(({ required }) => required === true).map(({ name }) => name as string);
  return object(Object.fromEntries(found.map(({ name, schema }) => [name as string, schema])), names);
}

/** The keys that open a route, by their scopes; any value for a route without a key. */
function keysOf(operation: JsonObject): JsonObject {
  const choices = ((operation['security'] ?? []) as Readonly<Record<string, string[]>>[]).map((each) =>
    Object.values(each).flat().join(' '),
  );
  if (choices.length === 0) return {};
  return choices.includes('') ? { type: 'string' } : { enum: choices };
}

/** The body of a request: JSON, or a form whose files have one of these types. */
function bodyOf([type, { schema, encoding }]: readonly [type: string, content: JsonObject]): readonly [name: string, schema: unknown] {
  if (type === 'application/json') return ['body', schema];
  const { contentType } = partOf((encoding ?? {}) as JsonObject, 'file') as { readonly contentType?: string };
  return ['form', object({ fields: schema, ...(contentType === undefined ? {} : { files: { enum: contentType.split(/,\s*/) } }) })];
}

function requestOf(operation: JsonObject, document: JsonObject): JsonObject {
  const body = resolved(operation['requestBody'], document);
  const places = Object.fromEntries(['query', 'path', 'header'].map((place) => [place, parametersIn(operation, place)]));
  const bodies = Object.fromEntries(entriesOf(body, 'content').map(bodyOf));
  return object({ key: keysOf(operation), ...places, ...bodies }, body['required'] === true ? Object.keys(bodies) : []);
}

/** What comes with each code of a failure. The list of codes is open: who does not know a code goes by the HTTP status. */
function codesOf(status: string, response: JsonObject, document: JsonObject): (readonly [code: string, schema: JsonObject])[] {
  const envelope = resolved(jsonOf(response), document);
  const fields = propertiesOf(envelope);
  const [data] = alternativesOf({ schema: fields['data'] ?? {}, document }).filter(({ type }) => type === 'object');
  const byCode = partOf(response, 'x-error-codes') as Readonly<Record<string, readonly string[] | null>>;
  return Object.entries(byCode).map(([code, always]) => {
    const shape = always === null || data === undefined ? { type: 'null' } : { ...data, required: always };
    const body = { ...envelope, properties: { ...fields, code: { type: 'string' }, data: shape } };
    return [code, object({ status: { const: status }, headers: headersOf(response), body })];
  });
}

/** The agreements about a route: what it takes, what it gives, and what comes with each code of a failure. */
function agreementsOfRoute(route: string, operation: JsonObject, document: JsonObject): Named[] {
  const responses = entriesOf(operation, 'responses').map(([status, response]) => [status, resolved(response, document)] as const);
  const good = responses.filter(([status]) => status.startsWith('2'));
  const given = good.map(([status, response]) => [status, object({ headers: headersOf(response), ...contentOf(response) })] as const);
  const codes = responses
    .filter(([status]) => !status.startsWith('2'))
    .flatMap(([status, response]) => codesOf(status, response, document));
  return [
    [route, { kind: 'request', schema: {} }],
    [`${route}, request`, { kind: 'request', schema: requestOf(operation, document), of: route }],
    [
      `${route}, response`,
      { kind: 'response', schema: object({ status: { enum: good.map(([status]) => status) }, ...Object.fromEntries(given) }), of: route },
    ],
    ...codes.map(([code, schema]): Named => [`${route}, code ${code}`, { kind: 'response', schema, of: route }]),
  ];
}

function agreementsOfWebhook(type: string, operation: JsonObject, document: JsonObject): Named {
  const schema = object({ headers: parametersIn(operation, 'header'), ...contentOf(resolved(operation['requestBody'], document)) });
  return [`webhook ${type}`, { kind: 'webhook', schema }];
}

/** The agreements about the messages of a topic: an event of ours, or reports that others publish. */
function agreementsOfChannel(
  [id, channel]: readonly [string, JsonObject],
  { asyncapi, keys }: Pick<ContractBundle, 'asyncapi' | 'keys'>,
): Named[] {
  const isReceived = entriesOf(asyncapi, 'operations').some(
    ([, { action, channel: of }]) => action === 'receive' && (of as JsonObject)['$ref'] === `#/channels/${id}`,
  );
  const { address } = channel;
  const { partitions } = partOf(partOf(channel, 'bindings'), 'kafka');
  return entriesOf(channel, 'messages').flatMap(([, reference]): Named[] => {
    const { name, payload } = resolved(reference, asyncapi) as { readonly name: string; readonly payload: JsonObject };
    const title = isReceived ? `topic ${address}` : `event ${name}`;
    const place = object({
      topic: { const: address },
      partitions: { const: partitions },
      ...(isReceived ? {} : { key: { const: keys[name] } }),
    });
    return [
      [title, { kind: isReceived ? 'report' : 'event', schema: payload }],
      [`${title}, topic`, { kind: 'topic', schema: place, of: title }],
    ];
  });
}

/** Every agreement of a version by its name, and the document that its references lead into. */
export function agreementsOf(bundle: ContractBundle): ReadonlyMap<string, Agreement & { readonly document: JsonObject }> {
  const { openapi, asyncapi } = bundle;
  const routes = entriesOf(openapi, 'paths').flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => [`${method.toUpperCase()} ${path}`, operation as JsonObject] as const),
  );
  const ofApi = [
    ...routes.flatMap(([route, operation]) => agreementsOfRoute(route, operation, openapi)),
    ...entriesOf(openapi, 'webhooks').map(([type, item]) => agreementsOfWebhook(type, partOf(item, 'post'), openapi)),
  ];
  const ofEvents = entriesOf(asyncapi, 'channels').flatMap((channel) => agreementsOfChannel(channel, bundle));
  return new Map([
    ...ofApi.map(([name, agreement]) => [name, { ...agreement, document: openapi }] as const),
    ...ofEvents.map(([name, agreement]) => [name, { ...agreement, document: asyncapi }] as const),
  ]);
}
