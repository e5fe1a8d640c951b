import type { MongoDatabase } from '@parcelway/mongo/mongo-database';
import type { Model } from 'mongoose';
import { type EventDocument, eventIndexes, events } from '../../expected/adapters/mongo-schema.ts';
import type { EventKey } from '../../expected/domain/event.ts';
import { freeFor, type StoredEvent } from './mongo-event-log.ts';

const waits = { waiting: { $exists: true } } as const;

/** What a resolution does with the events, one document each. Every method can be repeated. */
export class MongoResolvedEvents {
  readonly #db: MongoDatabase;
  readonly #model: Model<EventDocument>;

  /** @param db migrated with intakeCollections */
  constructor(db: MongoDatabase) {
    this.#db = db;
    this.#model = db.model(events);
  }

  /**
   * Sees to it that nothing but the resolution ends the waiting of an event.
   * @returns false when it does not wait any more, and not by this resolution
   */
  async reserve({ warehouseCode, eventId }: EventKey, resolution: string): Promise<boolean> {
    const key = { warehouse_code: { $eq: warehouseCode }, event_id: { $eq: eventId } };
    const { matchedCount } = await this.#db.run(() =>
      this.#model.updateOne({ ...key, ...waits, ...freeFor(resolution) }, { $set: { resolution } }),
    );
    if (matchedCount > 0) return true;
    return (await this.#db.run(() => this.#model.exists({ ...key, resolution }))) !== null;
  }

  /** Events that the resolution has reserved and not ended the waiting of are free again. */
  async release(warehouseCode: string, resolution: string): Promise<void> {
    await this.#db.run(() =>
      this.#model
        .updateMany({ warehouse_code: { $eq: warehouseCode }, resolution, ...waits }, { $unset: { resolution: '' } })
        .hint(eventIndexes.resolved),
    );
  }

  /** Events that the resolution has published and of which a step remains. */
  async unfinished(warehouseCode: string, resolution: string): Promise<readonly StoredEvent[]> {
    const filter = { warehouse_code: { $eq: warehouseCode }, resolution, unfinished_since: { $exists: true }, waiting: { $exists: false } };
    return this.#db.run(() => this.#model.find(filter).hint(eventIndexes.resolved).lean<StoredEvent[]>());
  }

  /** How many events the resolution has ended the waiting of. */
  async count(warehouseCode: string, resolution: string): Promise<number> {
    const filter = { warehouse_code: { $eq: warehouseCode }, resolution, waiting: { $exists: false } };
    return this.#db.run(() => this.#model.countDocuments(filter).hint(eventIndexes.resolved));
  }
}
