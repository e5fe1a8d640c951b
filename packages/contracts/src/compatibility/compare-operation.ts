import type { JsonObject } from '../openapi-schemas.ts';
import { responseFindings } from './compare-responses.ts';
import { type Finding, finding, findingsOf } from './finding.ts';
import { resolved } from './json-schema.ts';
import { type Documents, schemaMisfits } from './schema-misfits.ts';

interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly required: boolean;
  readonly schema: JsonObject;
}

const parametersOf = (operation: JsonObject): readonly Parameter[] => (operation['parameters'] ?? []) as Parameter[];
const keyOf = (parameter: Parameter): string => `${parameter.in} ${parameter.name}`;
const contentOf = (part: JsonObject): Readonly<Record<string, JsonObject>> => (part['content'] ?? {}) as Record<string, JsonObject>;

function parameterFindings(contract: string, before: JsonObject, after: JsonObject, documents: Documents): Finding[] {
  const current = new Map(parametersOf(after).map((each) => [keyOf(each), each]));
  const known = new Set(parametersOf(before).map(keyOf));
  const added = [...current.values()].filter((each) => each.required && !known.has(keyOf(each)));
  return [
    ...added.map((each) => finding('request', contract, `${keyOf(each)} required`, `${keyOf(each)}: is new and required`)),
    ...parametersOf(before).flatMap((each) => {
      const now = current.get(keyOf(each));
      if (!now) return [finding('request', contract, `${keyOf(each)} removed`, `${keyOf(each)}: is no longer read`)];
      const misfits = schemaMisfits(each.schema, now.schema, { direction: 'read', strictReaders: true, ...documents });
      const required = now.required && !each.required;
      return [
        ...(required ? [finding('request', contract, `${keyOf(each)} required`, `${keyOf(each)}: is required now`)] : []),
        ...findingsOf(
          'request',
          contract,
          misfits.map((found) => ({ ...found, path: `${keyOf(each)}${found.path}` })),
        ),
      ];
    }),
  ];
}

/** Media types of an uploaded file that are no longer taken. */
function refusedFiles(before: JsonObject, after: JsonObject): string[] {
  const listed = (content: JsonObject): string[] => {
    const { file } = (content['encoding'] ?? {}) as { readonly file?: { readonly contentType?: string } };
    return file?.contentType?.split(/,\s*/) ?? [];
  };
  return listed(before).filter((type) => !listed(after).includes(type));
}

function bodyFindings(contract: string, before: JsonObject, after: JsonObject, documents: Documents): Finding[] {
  const [old, current] = [resolved(before['requestBody'], documents.old), resolved(after['requestBody'], documents.new)];
  const required = current['required'] === true && old['required'] !== true;
  const say = (rule: string, change: string): Finding => finding('request', contract, rule, change);
  return [
    ...(required ? [say('body required', 'the body is required now')] : []),
    ...Object.entries(contentOf(old)).flatMap(([type, content]) => {
      const now = contentOf(current)[type];
      if (!now) return [say(`body ${type} removed`, `the body is no longer read as ${type}`)];
      const misfits = schemaMisfits(content['schema'], now['schema'], { direction: 'read', strictReaders: true, ...documents });
      return [
        ...findingsOf('request', contract, misfits),
        ...refusedFiles(content, now).map((refused) => say(`file ${refused} removed`, `files of type ${refused} are no longer taken`)),
      ];
    }),
  ];
}

/** Lists of scopes of which a key must have one; a route without a key has none. */
function scopesOf(operation: JsonObject): string[][] | undefined {
  const security = (operation['security'] ?? []) as Readonly<Record<string, string[]>>[];
  return security.length === 0 ? undefined : security.map((each) => Object.values(each).flat());
}

function securityFindings(contract: string, before: JsonObject, after: JsonObject): Finding[] {
  const needed = scopesOf(after);
  if (!needed) return [];
  const sufficed = scopesOf(before);
  if (!sufficed) return [finding('request', contract, 'security', 'needs a key now')];
  const refused = sufficed.filter((scopes) => !needed.some((each) => each.every((scope) => scopes.includes(scope))));
  return refused.map((scopes) => {
    const name = scopes.join(' ') || 'any scope';
    return finding('request', contract, `security ${name}`, `a key with ${name} no longer suffices`);
  });
}

/** What breaks callers in a route that both versions have. */
export function operationFindings(name: string, before: JsonObject, after: JsonObject, documents: Documents): Finding[] {
  const request = `${name}, request`;
  return [
    ...securityFindings(request, before, after),
    ...parameterFindings(request, before, after, documents),
    ...bodyFindings(request, before, after, documents),
    ...responseFindings(`${name}, response`, before, after, documents),
  ];
}

/** What breaks receivers in a webhook that both versions have: there the platform writes the request. */
export function webhookFindings(name: string, before: JsonObject, after: JsonObject, documents: Documents): Finding[] {
  const contract = `webhook ${name}`;
  const headers = new Set(parametersOf(after).map(keyOf));
  const gone = parametersOf(before).filter((each) => !headers.has(keyOf(each)));
  const [old, current] = [resolved(before['requestBody'], documents.old), resolved(after['requestBody'], documents.new)];
  return [
    ...gone.map((each) => finding('webhook', contract, `${keyOf(each)} removed`, `${keyOf(each)}: is no longer sent`)),
    ...Object.entries(contentOf(current)).flatMap(([type, content]) => {
      const was = contentOf(old)[type];
      if (!was) return [finding('webhook', contract, `body ${type}`, `is sent as ${type} now`)];
      const misfits = schemaMisfits(was['schema'], content['schema'], { direction: 'write', strictReaders: false, ...documents });
      return findingsOf('webhook', contract, misfits);
    }),
  ];
}
