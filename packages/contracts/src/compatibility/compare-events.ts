import type { JsonObject } from '../openapi-schemas.ts';
import { type Comparison, type Finding, finding, findingsOf } from './finding.ts';
import { resolved } from './json-schema.ts';
import type { Misfit } from './schema-misfits.ts';
import { schemaMisfits } from './schema-misfits.ts';

/** The AsyncAPI document of a version, and how its events are keyed. */
export interface EventContracts {
  readonly document: JsonObject;
  /** Event type → its partition key, as a template such as `{tenantid}/{subject}`. */
  readonly keys: Readonly<Record<string, string>>;
}

interface Message {
  readonly address: string;
  readonly partitions: unknown;
  /** True when others publish and we read. */
  readonly received: boolean;
  readonly payload: unknown;
}

function messagesOf(document: JsonObject): ReadonlyMap<string, Message> {
  const operations = Object.values((document['operations'] ?? {}) as JsonObject) as JsonObject[];
  const received = new Set(operations.filter(({ action }) => action === 'receive').map(({ channel }) => (channel as JsonObject)['$ref']));
  const messages = new Map<string, Message>();
  for (const [name, channel] of Object.entries((document['channels'] ?? {}) as Record<string, JsonObject>)) {
    const { kafka } = (channel['bindings'] ?? {}) as { readonly kafka?: JsonObject };
    for (const reference of Object.values((channel['messages'] ?? {}) as JsonObject)) {
      const message = resolved(reference, document);
      messages.set(message['name'] as string, {
        address: channel['address'] as string,
        partitions: kafka?.['partitions'],
        received: received.has(`#/channels/${name}`),
        payload: message['payload'],
      });
    }
  }
  return messages;
}

/** Those that a reader finds at once with those that a writer finds, each change once. */
function unseen(misfits: readonly Misfit[], others: readonly Misfit[]): Misfit[] {
  return misfits.filter(({ path, rule }) => !others.some((other) => other.path === path && other.rule === rule && rule === 'removed'));
}

function payloadFindings(contract: string, before: Message, after: Message, old: JsonObject, current: JsonObject): Finding[] {
  const documents = { old, new: current, strictReaders: true };
  const read = schemaMisfits(before.payload, after.payload, { direction: 'read', ...documents });
  if (before.received) return findingsOf('report', contract, read);
  const written = schemaMisfits(before.payload, after.payload, { direction: 'write', ...documents });
  return [...findingsOf('event-written', contract, written), ...findingsOf('event-read', contract, unseen(read, written))];
}

function placeFindings(
  contract: string,
  type: string,
  before: Message,
  after: Message,
  keys: readonly [old: string, current: string],
): Finding[] {
  const say = (rule: string, was: unknown, now: unknown): Finding[] =>
    was === now ? [] : [finding('topic', contract, rule, `${rule}: ${String(was)} → ${String(now)}`)];
  return [
    ...say('topic', before.address, after.address),
    ...(before.address === after.address ? say('partitions', before.partitions, after.partitions) : []),
    ...(before.received ? [] : say('key', keys[0], keys[1])),
    ...(before.received === after.received ? [] : [finding('topic', contract, 'direction', `${type} changes who publishes it`)]),
  ];
}

/**
 * What breaks those who exchange events. During a rollout two versions of a service run side by side, so a domain event counts in both
 * directions: old readers meet new events, and new readers old ones. Reports of warehouses are read only.
 */
export function compareEvents(before: EventContracts, after: EventContracts): Comparison {
  const [old, current] = [messagesOf(before.document), messagesOf(after.document)];
  const breaking = [...old].flatMap(([type, message]) => {
    const contract = message.received ? `topic ${message.address}` : `event ${type}`;
    const now = current.get(type);
    if (!now) return [finding(message.received ? 'report' : 'event-written', contract, 'removed', 'is gone')];
    return [
      ...placeFindings(contract, type, message, now, [before.keys[type] ?? '', after.keys[type] ?? '']),
      ...payloadFindings(contract, message, now, before.document, after.document),
    ];
  });
  const added = [...current.keys()].filter((type) => !old.has(type));
  const additions = added.map((type) => ({
    contract: `event ${type}`,
    change: 'is new: consumers that know it are rolled out before it is first published',
  }));
  return { breaking, additions };
}
