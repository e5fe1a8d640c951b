import type { JsonObject } from '../openapi-schemas.ts';
import { compareEvents } from './compare-events.ts';
import { operationFindings, webhookFindings } from './compare-operation.ts';
import type { ContractBundle } from './contract-bundle.ts';
import { type Comparison, type ContractKind, finding, inAll } from './finding.ts';
import { textWithReferences } from './json-schema.ts';
import type { Documents } from './schema-misfits.ts';

type Compare = typeof operationFindings;

/** Method and path → operation. */
function operationsOf(paths: unknown): ReadonlyMap<string, JsonObject> {
  const entries = Object.entries((paths ?? {}) as Record<string, Record<string, JsonObject>>);
  return new Map(
    entries.flatMap(([path, item]) => Object.entries(item).map(([method, value]) => [`${method.toUpperCase()} ${path}`, value] as const)),
  );
}

/** Webhook → the operation that the platform calls. */
function webhooksOf(webhooks: unknown): ReadonlyMap<string, JsonObject> {
  const entries = Object.entries((webhooks ?? {}) as Record<string, { readonly post: JsonObject }>);
  return new Map(entries.map(([type, { post }]) => [type, post]));
}

function compareEach(
  kind: ContractKind,
  old: ReadonlyMap<string, JsonObject>,
  current: ReadonlyMap<string, JsonObject>,
  compare: Compare,
  documents: Documents,
): Comparison {
  const title = (name: string): string => (kind === 'webhook' ? `webhook ${name}` : name);
  const breaking = [...old].flatMap(([name, before]) => {
    const after = current.get(name);
    if (!after) return [finding(kind, title(name), 'removed', 'is gone')];
    const same = textWithReferences(before, documents.old) === textWithReferences(after, documents.new);
    return same ? [] : compare(name, before, after, documents);
  });
  const added = [...current.keys()].filter((name) => !old.has(name));
  return { breaking, additions: added.map((name) => ({ contract: title(name), change: 'is new' })) };
}

/**
 * In what the new contracts break those who keep to the old ones: callers, receivers, warehouse systems, and our own services of the
 * other version.
 * @throws Error when a schema has a keyword that the comparison does not know
 */
export function compareContracts(before: ContractBundle, after: ContractBundle): Comparison {
  const documents = { old: before.openapi, new: after.openapi };
  const { old, new: current } = documents;
  return inAll([
    compareEach('request', operationsOf(old['paths']), operationsOf(current['paths']), operationFindings, documents),
    compareEach('webhook', webhooksOf(old['webhooks']), webhooksOf(current['webhooks']), webhookFindings, documents),
    compareEvents({ document: before.asyncapi, keys: before.keys }, { document: after.asyncapi, keys: after.keys }),
  ]);
}
