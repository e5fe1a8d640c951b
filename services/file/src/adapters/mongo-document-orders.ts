import { randomUUID } from 'node:crypto';
import type { MongoDatabase } from '@parcelway/mongo/mongo-database';
import { writeNewerVersion } from '@parcelway/mongo/mongo-newer-version';
import type { mongo } from 'mongoose';
import type { DocumentOrder } from '../domain/forecast-documents.ts';
import type { DocumentOrders, LeasedOrder, Postponement } from '../ports.ts';
import { documentOrders, type OrderDocument } from './mongo-schema.ts';

const leasedBy = ({ order: { tenantId, forecastNo }, lease }: LeasedOrder) => ({ tenant_id: tenantId, forecast_no: forecastNo, lease });

/** Orders of documents in MongoDB. Every method is one write of one document. */
export class MongoDocumentOrders implements DocumentOrders {
  readonly #database: MongoDatabase;
  readonly #orders: mongo.Collection<OrderDocument>;

  /** @param database migrated with fileCollections */
  constructor(database: MongoDatabase) {
    this.#database = database;
    this.#orders = database.model(documentOrders).collection as unknown as mongo.Collection<OrderDocument>;
  }

  async put(order: DocumentOrder, now: number): Promise<void> {
    await this.#put(order, { ordered_at: now, due_at: now, lease: null });
  }

  async putLeased(order: DocumentOrder, now: number, until: number, lease: string): Promise<LeasedOrder | undefined> {
    const isKept = await this.#put(order, { ordered_at: now, due_at: until, lease }, { lease });
    return isKept ? { order, lease, orderedAt: now, defects: 0 } : undefined;
  }

  async nextTenant(after: string, now: number): Promise<string | undefined> {
    const found = await this.#database.run(() =>
      this.#orders.findOne(
        { tenant_id: { $gt: after }, due_at: { $lte: now } },
        { projection: { tenant_id: 1, _id: 0 }, sort: { tenant_id: 1 } },
      ),
    );
    return found?.tenant_id;
  }

  async lease(tenantId: string, now: number, until: number): Promise<LeasedOrder | undefined> {
    const lease = randomUUID();
    const found = await this.#database.run(() =>
      this.#orders.findOneAndUpdate(
        { tenant_id: tenantId, due_at: { $lte: now } },
        { $set: { due_at: until, lease } },
        { sort: { due_at: 1 }, returnDocument: 'after' },
      ),
    );
    if (found === null) return undefined;
    return { order: JSON.parse(found.content) as DocumentOrder, lease, orderedAt: found.ordered_at, defects: found.defects };
  }

  async postpone(leased: LeasedOrder, { dueAt, defects }: Postponement): Promise<void> {
    await this.#database.run(() => this.#orders.updateOne(leasedBy(leased), { $set: { due_at: dueAt, defects } }));
  }

  async finish(leased: LeasedOrder): Promise<void> {
    await this.#database.run(() => this.#orders.deleteOne(leasedBy(leased)));
  }

  /** @returns false when this version or a newer one is there, except for one that has what `again` says */
  #put(order: DocumentOrder, due: Pick<OrderDocument, 'ordered_at' | 'due_at' | 'lease'>, again?: object): Promise<boolean> {
    const { tenantId, forecastNo, version } = order;
    const fields = { version, content: JSON.stringify(order), defects: 0, ...due };
    // The version check of the rule in domain/forecast-documents.ts.
    const key = { tenant_id: tenantId, forecast_no: forecastNo };
    const collection = this.#orders as unknown as mongo.Collection;
    return writeNewerVersion(this.#database, collection, { key, index: 'forecast', fields, ...(again && { again }) });
  }

  count(): Promise<number> {
    return this.#database.run(() => this.#orders.estimatedDocumentCount());
  }
}
