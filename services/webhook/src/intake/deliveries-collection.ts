import { collection, type Key } from '@parcelway/store/collection';
import type { Stored } from '@parcelway/store/store';
import Type from 'typebox';
import { attemptFields, type Delivery, type DeliveryStatus, deliveryFields, type LeasedDelivery } from './domain/delivery.ts';

const closed = { additionalProperties: false } as const;
const instant = Type.Number();

/** Events on their way to endpoints, each with the log of its attempts, so that a result and its log entry are one write. */
export const deliveries = collection(
  'deliveries',
  Type.Object(
    {
      ...deliveryFields,
      /** From when on it may be leased: a lease moves it, and nothing else. Only while it is pending. */
      due: Type.Optional(instant),
      /** The status, unless it has succeeded: most have. */
      unfinished: Type.Optional(Type.Unsafe<DeliveryStatus>(Type.String())),
      /** When it was made, unless it is pending: from then on the retention counts. */
      settledFrom: Type.Optional(instant),
      /** The newest, oldest first. */
      attempts: Type.Optional(Type.Array(Type.Object(attemptFields, closed))),
    },
    closed,
  ),
  {
    describe: 'Deliveries of events to endpoints, with their attempts',
    // Ids rise with time: new entries come at the end of the index, on a page that is written anyway.
    key: ['eventId', 'tenantId', 'endpointId'],
    unique: { endpoint: ['tenantId', 'endpointId', 'deliveryId'] },
    lists: {
      unfinished: ['tenantId', 'endpointId', 'unfinished', 'deliveryId'],
      // The platform's own work over all tenants.
      settled: ['settledFrom'],
    },
    queues: { due: { group: 'endpointId', due: 'due' } },
    heavy: ['attempts'],
    tenant: 'tenantId',
    shard: 'tenantId',
    ends: '`WEBHOOK_RETENTION_DAYS` after it was made, once it is settled',
    copy: {
      with: ['attempts'],
      record: ({ attempts = [], ...document }) => ({
        delivery_id: document.deliveryId,
        endpoint_id: document.endpointId,
        event_id: document.eventId,
        event_type: document.eventType,
        po_number: document.poNumber,
        status: document.status,
        attempt_count: document.attemptCount,
        next_attempt_at: document.nextAttemptAt,
        next_reason: document.nextReason,
        last_status_code: document.lastStatusCode,
        created_at: document.createdAt,
        attempts: attempts.map((one, place) => ({
          attempt_number: document.attemptCount - attempts.length + place + 1,
          attempt_id: one.attemptId,
          url: one.url,
          started_at: one.startedAt,
          duration_ms: one.durationMs,
          outcome: one.outcome,
          status_code: one.statusCode,
          error: one.error,
          error_code: one.errorCode,
          retry_after: one.retryAfter,
          response_body: one.responseBody,
        })),
      }),
    },
  },
);

/** A delivery as it is stored. */
export type DeliveryDocument = NonNullable<(typeof deliveries)['document']>;

export const keyOfDelivery = ({ eventId, tenantId, endpointId }: Pick<Delivery, 'eventId' | 'tenantId' | 'endpointId'>): Key => [
  eventId,
  tenantId,
  endpointId,
];

export function deliveryOf({ due: _due, unfinished: _open, settledFrom: _from, attempts: _log, ...delivery }: DeliveryDocument): Delivery {
  return delivery;
}

/**
 * The fields by which a delivery is found as what it is.
 * @param due from when on it may be leased; default: when it is tried next
 */
export function placed(
  { status, nextAttemptAt, createdAt }: Pick<Delivery, 'status' | 'nextAttemptAt' | 'createdAt'>,
  due = nextAttemptAt,
) {
  const isPending = status === 'pending';
  return {
    due: isPending ? (due ?? undefined) : undefined,
    unfinished: status === 'succeeded' ? undefined : status,
    settledFrom: isPending ? undefined : createdAt,
  };
}

/**
 * The document of a delivery. Field by field: it is made for each delivery, and copies of objects are slow.
 * @param due from when on it may be leased; default: when it is tried next
 */
export function documentOf(delivery: Delivery, due = delivery.nextAttemptAt): DeliveryDocument {
  const { status, createdAt } = delivery;
  const document: DeliveryDocument = {
    tenantId: delivery.tenantId,
    eventId: delivery.eventId,
    endpointId: delivery.endpointId,
    deliveryId: delivery.deliveryId,
    eventType: delivery.eventType,
    poNumber: delivery.poNumber,
    status,
    attemptCount: delivery.attemptCount,
    step: delivery.step,
    test: delivery.test,
    nextAttemptAt: delivery.nextAttemptAt,
    nextReason: delivery.nextReason,
    lastStatusCode: delivery.lastStatusCode,
    createdAt,
  };
  if (status !== 'succeeded') document.unfinished = status;
  if (status !== 'pending') document.settledFrom = createdAt;
  else if (due !== null) document.due = due;
  return document;
}

/** A delivery as it was stored when it was leased. */
export function storedWhenLeased({ delivery, leaseUntil, version }: LeasedDelivery): Stored<DeliveryDocument> {
  return { value: documentOf(delivery, leaseUntil), version };
}

/**
 * True while a lease lasts: attempts of former leases may have been logged since, and nothing else was written.
 * @param current the delivery as it is
 */
export function isHeld({ delivery, leaseUntil, version }: LeasedDelivery, current: Stored<DeliveryDocument>): boolean {
  const { status, due, attemptCount } = current.value;
  return status === 'pending' && due === leaseUntil && current.version - version === attemptCount - delivery.attemptCount;
}
