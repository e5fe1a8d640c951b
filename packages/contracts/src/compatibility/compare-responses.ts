import type { JsonObject } from '../openapi-schemas.ts';
import { type Finding, finding, findingsOf } from './finding.ts';
import { alternativesOf, isJsonObject, propertiesOf, resolved } from './json-schema.ts';
import { type Documents, schemaMisfits } from './schema-misfits.ts';

const isSuccess = (status: string): boolean => status.startsWith('2');

function responsesOf(operation: JsonObject, document: JsonObject): ReadonlyMap<string, JsonObject> {
  const responses = (operation['responses'] ?? {}) as JsonObject;
  return new Map(Object.entries(responses).map(([status, response]) => [status, resolved(response, document)]));
}

const contentOf = (response: JsonObject): Readonly<Record<string, JsonObject>> => (response['content'] ?? {}) as Record<string, JsonObject>;
const jsonOf = (response: JsonObject): JsonObject => (contentOf(response)['application/json']?.['schema'] ?? {}) as JsonObject;

function headerFindings(contract: string, status: string, before: JsonObject, after: JsonObject): Finding[] {
  const current = (after['headers'] ?? {}) as JsonObject;
  return Object.keys((before['headers'] ?? {}) as JsonObject)
    .filter((name) => !Object.hasOwn(current, name))
    .map((name) => finding('response', contract, `${status} header ${name} removed`, `${status}: the header ${name} is gone`));
}

function successFindings(contract: string, before: JsonObject, after: JsonObject, documents: Documents): Finding[] {
  return Object.entries(contentOf(after)).flatMap(([type, content]) => {
    const was = contentOf(before)[type];
    if (!was) return [finding('response', contract, `content ${type}`, `may be ${type}, which was not documented`)];
    return findingsOf(
      'response',
      contract,
      schemaMisfits(was['schema'], content['schema'], { direction: 'write', strictReaders: false, ...documents }),
    );
  });
}

/** Codes of a failure. Its list is open: who does not know a code goes by the HTTP status. */
const codesOf = (response: JsonObject): readonly string[] =>
  isJsonObject(response['x-error-codes'])
    ? Object.keys(response['x-error-codes'])
    : ((propertiesOf(jsonOf(response))['code']?.['enum'] ?? []) as string[]);

/** Shapes of `data`: by code where the response says which fields each code has, else as the schema has them. */
function dataShapes(response: JsonObject, document: JsonObject): readonly JsonObject[] {
  const schema = propertiesOf(resolved(jsonOf(response), document))['data'];
  if (schema === undefined) return [];
  const shapes = alternativesOf({ schema, document });
  const byCode = response['x-error-codes'];
  if (!isJsonObject(byCode)) return shapes;
  const [none] = shapes.filter(({ type }) => type === 'null');
  const [fields] = shapes.filter(({ type }) => type === 'object');
  if (none === undefined || fields === undefined) return shapes;
  const withData = Object.values(byCode as Record<string, readonly string[] | null>).filter((always) => always !== null);
  return [none, ...withData.map((always) => ({ ...fields, required: always }))];
}

/** The `data` beside the code: every shape that was documented must still be sent, in a form that its readers know. */
function dataFindings(contract: string, before: JsonObject, after: JsonObject, documents: Documents): Finding[] {
  const current = dataShapes(after, documents.new);
  return dataShapes(before, documents.old).flatMap((shape) => {
    const tries = current.map((now) => schemaMisfits(shape, now, { direction: 'write', strictReaders: false, ...documents }));
    const nearest = tries.sort((a, b) => a.length - b.length)[0] ?? [];
    return findingsOf(
      'response',
      contract,
      nearest.map((found) => ({ ...found, path: found.path === '' ? 'data' : `data.${found.path}` })),
    );
  });
}

function failureFindings(contract: string, before: JsonObject, after: JsonObject, documents: Documents): Finding[] {
  const open = (response: JsonObject, document: JsonObject): JsonObject => {
    const schema = resolved(jsonOf(response), document);
    const { code: _code, data: _data, ...fixed } = propertiesOf(schema);
    return { ...schema, properties: { ...fixed, code: { type: 'string' }, data: {} } };
  };
  const misfits = schemaMisfits(open(before, documents.old), open(after, documents.new), {
    direction: 'write',
    strictReaders: false,
    ...documents,
  });
  return [...findingsOf('response', contract, misfits), ...dataFindings(contract, before, after, documents)];
}

/** Codes that come with another HTTP status than they did. */
function movedCodes(contract: string, before: ReadonlyMap<string, JsonObject>, after: ReadonlyMap<string, JsonObject>): Finding[] {
  const statusOf = (responses: ReadonlyMap<string, JsonObject>) =>
    new Map([...responses].flatMap(([status, response]) => codesOf(response).map((code) => [code, status] as const)));
  const current = statusOf(after);
  return [...statusOf(before)].flatMap(([code, status]) => {
    const now = current.get(code);
    return now === undefined || now === status
      ? []
      : [finding('response', contract, `code ${code} status`, `code ${code} comes with HTTP ${now} instead of ${status}`)];
  });
}

/** What breaks callers in the responses of a route that both versions have. New failures, codes and headers do not. */
export function responseFindings(contract: string, before: JsonObject, after: JsonObject, documents: Documents): Finding[] {
  const [old, current] = [responsesOf(before, documents.old), responsesOf(after, documents.new)];
  const statuses = [...current].flatMap(([status, response]) => {
    const was = old.get(status);
    if (was) {
      const compare = isSuccess(status) ? successFindings : failureFindings;
      const place = isSuccess(status) ? contract : `${contract} ${status}`;
      return [...headerFindings(contract, status, was, response), ...compare(place, was, response, documents)];
    }
    return isSuccess(status)
      ? [finding('response', contract, `status ${status}`, `succeeds with HTTP ${status}, which was not documented`)]
      : [];
  });
  return [...statuses, ...movedCodes(contract, old, current)];
}
