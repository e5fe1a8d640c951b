import { buildAsyncApi } from '../asyncapi.ts';
import { domainEventTypes } from '../domain-events.ts';
import { partitionKey } from '../encode-event.ts';
import { domainEventExamples } from '../examples.ts';
import { buildOpenApi } from '../openapi.ts';
import type { JsonObject } from '../openapi-schemas.ts';

/** Everything that others rely on, as data: what a release writes down and the next one is held against. */
export interface ContractBundle {
  /** Version of the product that it belongs to. */
  readonly version: string;
  /** OpenAPI 3.1 of the public API, the warehouse API and the webhooks, without prose. */
  readonly openapi: JsonObject;
  /** AsyncAPI 3.0 of domain events and of what warehouse systems report, without prose. */
  readonly asyncapi: JsonObject;
  /** Domain event → its partition key, as a template. */
  readonly keys: Readonly<Record<string, string>>;
}

/** Fields that are for people, where they are not the name of something. */
const PROSE = new Set(['description', 'summary', 'title', 'example', 'examples', 'tags', 'operationId', 'info', 'servers']);

/** Fields whose own fields are names of the contract. */
const NAMES = new Set([
  ...['properties', 'patternProperties', 'schemas', 'responses', 'headers', 'messages', 'paths', 'webhooks', 'content', 'channels'],
  ...['operations', 'mapping', 'securitySchemes', 'encoding', 'x-error-codes', 'keys'],
]);

/** True when the fields of a part are names of the contract. The methods of a path are names, too. @param steps that lead to the part */
export function isNames(steps: readonly string[]): boolean {
  if (steps.at(-2) === 'paths') return true;
  const last = steps.at(-1) ?? '';
  return NAMES.has(last) && !isNames(steps.slice(0, -1));
}

/** A document without what is for people only: another wording is no other contract. */
function withoutProse(value: unknown, named = false): unknown {
  if (Array.isArray(value)) return value.map((part) => withoutProse(part));
  if (value === null || typeof value !== 'object') return value;
  const kept = Object.entries(value).filter(([key, part]) => part !== undefined && (named || !PROSE.has(key)));
  return Object.fromEntries(kept.map(([key, part]) => [key, withoutProse(part, !named && NAMES.has(key))]));
}

/** The contracts of this source, for comparison: the sandbox's, which has every route that production has. */
export function currentContracts(version: string): ContractBundle {
  const environment = 'sandbox';
  const keyOf = (type: keyof typeof domainEventExamples): string =>
    partitionKey({ ...domainEventExamples[type], tenantid: '{tenantid}', subject: '{subject}' });
  return {
    version,
    openapi: withoutProse(buildOpenApi({ environment, baseUrl: 'https://api.example.com' })) as JsonObject,
    asyncapi: withoutProse(buildAsyncApi({ environment })) as JsonObject,
    keys: Object.fromEntries(domainEventTypes.map((type) => [type, keyOf(type)])),
  };
}
