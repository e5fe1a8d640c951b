import { collection } from '@parcelway/store/collection';
import Type from 'typebox';
import { type Endpoint, endpointFields } from './domain/endpoint.ts';

const instant = Type.Number();

/**
 * Webhook endpoints. Secrets are not encrypted: every attempt is signed with them, so a process that sends needs the key too.
 * Secrets leave the store for signing and for the two responses that show them.
 */
export const endpoints = collection(
  'endpoints',
  Type.Object(
    {
      ...endpointFields,
      /** Its place among the tenant's endpoints, from 0; absent once it is deleted. */
      slot: Type.Optional(Type.Integer()),
      /** What the maintenance is to do with its deliveries: hold them, or delete them and at last the endpoint. */
      sweep: Type.Optional(Type.Unsafe<'hold' | 'purge'>(Type.String())),
      pausedAt: Type.Optional(instant),
      disablingToPublish: Type.Optional(instant),
    },
    { additionalProperties: false },
  ),
  {
    describe: 'Webhook endpoints with their signing secrets',
    // Senders go from endpoint to endpoint, and know no tenant then.
    key: ['endpointId'],
    unique: { slot: ['tenantId', 'slot'] },
    lists: {
      owned: ['tenantId'],
      // The platform's own work over all tenants.
      sweep: ['sweep'],
      unpublished: ['disablingToPublish'],
      paused: ['pausedAt'],
    },
    isMostlyRead: true,
    tenant: 'tenantId',
    shard: 'tenantId',
    ends: 'with its last delivery, once it is deleted',
    copy: {
      // Headers that merchants set may contain secrets.
      record: (document) => ({
        endpoint_id: document.endpointId,
        url: document.url,
        event_types: document.eventTypes,
        description: document.description,
        filter: document.filter,
        metadata: document.metadata,
        rate_limit: document.rateLimit,
        payload: document.payload,
        status: document.status,
        disabled_reason: document.disabledReason,
        paused_at: document.pausedAt ?? null,
        failing_since: document.failingSince,
        created_at: document.createdAt,
        updated_at: document.updatedAt,
        is_deleted: document.slot === undefined,
      }),
    },
  },
);

/** An endpoint as it is stored. */
export type EndpointDocument = NonNullable<(typeof endpoints)['document']>;

const made = new WeakMap<EndpointDocument, Endpoint>();

/** The endpoint of a document, made once: a document that stays in memory is looked at with every event. */
export function endpointOf(document: EndpointDocument): Endpoint {
  let endpoint = made.get(document);
  if (endpoint === undefined) {
    const { slot: _slot, sweep: _sweep, pausedAt = null, disablingToPublish = null, ...fields } = document;
    endpoint = { ...fields, pausedAt, disablingToPublish };
    made.set(document, endpoint);
  }
  return endpoint;
}

/** The fields of a document that say what the endpoint is. */
export function fieldsOf({ tenantId: _tenant, endpointId: _id, pausedAt, disablingToPublish, ...fields }: Endpoint) {
  return { ...fields, pausedAt: pausedAt ?? undefined, disablingToPublish: disablingToPublish ?? undefined };
}
