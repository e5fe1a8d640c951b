import type { MongoDatabase } from '@parcelway/mongo/mongo-database';
import { collectionOf } from '../../endpoints/adapters/mongo-access.ts';
import { type AttemptFields, deliveries, deliveryKey, deliveryOf } from '../../intake/adapters/mongo-delivery-documents.ts';
import { eventKey, events } from '../../intake/adapters/mongo-event-documents.ts';
import type { DeliveryLog } from '../ports.ts';

const WITHOUT_LOG = { attempts: 0 } as const;

/** What deliveries came to, in MongoDB. Only reads. The id of a delivery, which rises with time, is its place in the list. */
export function createMongoLog(db: MongoDatabase): DeliveryLog {
  const stored = collectionOf(db, deliveries);
  const storedEvents = collectionOf(db, events);
  return {
    async list(tenantId, endpointId, { status, limit, before }) {
      const page = await db.run(() =>
        stored
          .find(
            {
              tenant_id: tenantId,
              endpoint_id: endpointId,
              ...(status === undefined ? {} : { status }),
              ...(before === null ? {} : { delivery_id: { $lt: before } }),
            },
            { projection: WITHOUT_LOG, sort: { delivery_id: -1 }, limit: limit + 1 },
          )
          .toArray(),
      );
      const shown = page.slice(0, limit);
      return { deliveries: shown.map(deliveryOf), next: page.length > limit ? (shown.at(-1)?.delivery_id ?? null) : null };
    },
    async get(tenantId, endpointId, deliveryId) {
      const one = { tenant_id: tenantId, endpoint_id: endpointId, delivery_id: deliveryId };
      const found = await db.run(() => stored.findOne(one, { projection: WITHOUT_LOG }));
      return found ? deliveryOf(found) : undefined;
    },
    async ofEvent(tenantId, endpointId, eventId) {
      const one = { _id: deliveryKey(tenantId, eventId, endpointId), tenant_id: tenantId, endpoint_id: endpointId, event_id: eventId };
      const found = await db.run(() => stored.findOne(one, { projection: WITHOUT_LOG }));
      return found ? deliveryOf(found) : undefined;
    },
    async body(tenantId, eventId) {
      const one = { _id: eventKey(tenantId, eventId), tenant_id: tenantId };
      return (await db.run(() => storedEvents.findOne(one, { projection: { body: 1 } })))?.body;
    },
    async attempts(tenantId, endpointId, deliveryId, limit) {
      const one = { tenant_id: tenantId, endpoint_id: endpointId, delivery_id: deliveryId };
      const projection = { _id: 0, attempt_count: 1, attempts: { $slice: -limit } };
      const found = await db.run(() => stored.findOne<{ attempt_count: number; attempts?: AttemptFields[] }>(one, { projection }));
      const kept = found?.attempts ?? [];
      return kept.map((fields, place) => ({
        attemptId: fields.attempt_id,
        attemptNumber: (found?.attempt_count ?? 0) - kept.length + place + 1,
        url: fields.url,
        startedAt: fields.started_at,
        durationMs: fields.duration_ms,
        outcome: fields.outcome,
        statusCode: fields.status_code,
        error: fields.error,
        errorCode: fields.error_code ?? null,
        retryAfter: fields.retry_after,
        responseBody: fields.response_body,
      }));
    },
  };
}
