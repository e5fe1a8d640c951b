import type { MongoDatabase } from '@parcelway/mongo/mongo-database';
import { mongo } from 'mongoose';
import { collectionOf } from '../../endpoints/adapters/mongo-access.ts';
import { type EndpointDocument, endpoints } from '../../endpoints/adapters/mongo-endpoint-documents.ts';
import { deliveries } from '../../intake/adapters/mongo-delivery-documents.ts';

export interface OrphanSweep {
  /**
   * Holds pending deliveries of an endpoint that was read as disabled.
   * @returns how many; undefined when the endpoint has changed since it was read, or is being held by another process
   */
  hold(endpoint: Pick<EndpointDocument, '_id' | 'tenant_id' | 'version'>, limit: number): Promise<number | undefined>;
  /** Deletes due deliveries of endpoints that do not exist any more, at most `limit`. */
  dropOrphans(endpointIds: readonly string[], now: number, limit: number): Promise<void>;
}

/** The unset fields of a delivery that nobody may lease. */
export const NOT_AVAILABLE = { available_at: '', lease_owner: '', lease_call: '' } as const;

/** Server code of a transaction that met another's write (error_codes.yml: WriteConflict). */
const WRITE_CONFLICT = 112;

/**
 * Races: an event that is stored, or a result that is written down, while another process disables or deletes the
 * endpoint, may leave a pending delivery behind the maintenance's back. The senders find it when it is due and see to it here.
 */
export function createOrphanSweep(db: MongoDatabase): OrphanSweep {
  const stored = { endpoints: collectionOf(db, endpoints), deliveries: collectionOf(db, deliveries) };

  async function holdIn(
    session: mongo.ClientSession,
    { _id, tenant_id, version }: Pick<EndpointDocument, '_id' | 'tenant_id' | 'version'>,
    limit: number,
  ): Promise<number | undefined> {
    const same = await stored.endpoints.updateOne({ _id, version, status: 'disabled' }, { $inc: { version: 1 } }, { session });
    if (same.matchedCount === 0) return undefined;
    const pending = { tenant_id, endpoint_id: _id, status: 'pending' } as const;
    const found = await stored.deliveries.find(pending, { projection: { _id: 1 }, limit, session }).toArray();
    if (found.length > 0) {
      const held = { $set: { status: 'held', next_attempt_at: null, next_reason: null }, $unset: NOT_AVAILABLE } as const;
      await stored.deliveries.updateMany({ _id: { $in: found.map((one) => one._id) }, ...pending }, held, { session });
    }
    return found.length;
  }

  return {
    /*
     * A transaction, because two things must not come apart: "is disabled" and "is held". Without it a process that read
     * "disabled" could hold what the tenant, who has enabled the endpoint since, has just had replayed.
     */
    hold: (endpoint, limit) =>
      db.run(async () => {
        const session = await db.connection.startSession();
        try {
          session.startTransaction();
          const count = await holdIn(session, endpoint, limit);
          if (count === undefined) await session.abortTransaction();
          else await session.commitTransaction();
          return count;
        } catch (error) {
          if (error instanceof mongo.MongoServerError && error.code === WRITE_CONFLICT) return undefined;
          throw error;
        } finally {
          await session.endSession();
        }
      }),
    dropOrphans: (endpointIds, now, limit) =>
      db.run(async () => {
        const due = { endpoint_id: { $in: [...endpointIds] }, available_at: { $gte: 0, $lte: now } };
        const found = await stored.deliveries.find(due, { projection: { _id: 1 }, limit }).toArray();
        if (found.length > 0) await stored.deliveries.deleteMany({ _id: { $in: found.map(({ _id }) => _id) } });
      }),
  };
}
