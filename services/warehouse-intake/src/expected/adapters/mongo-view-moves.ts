import type { Clock } from '@parcelway/kernel/clock';
import type { MongoDatabase } from '@parcelway/mongo/mongo-database';
import { isDuplicateKey } from '@parcelway/mongo/mongo-errors';
import { type Model, mongo } from 'mongoose';
import { decideMove, idsOf, MOVED_STATUS, type MoveWrite, type ViewMove } from '../domain/seen-by-warehouse.ts';
import { type ViewDocument, viewForecasts } from './mongo-view-schema.ts';

/** A move as it was read. */
type StoredMove = Pick<ViewDocument, 'revision'> & Required<Pick<ViewDocument, 'version'>>;

/**
 * Moves of forecasts to other warehouses: a document for each forecast and former warehouse, which domain/view-move decides on. It is written before
 * the forecast's own document, so that a crash in between repeats it, and only while it is as it was read. One that is hidden again stays for as
 * long as any, out of every list, so that no older one replaces it.
 */
export class MongoViewMoves {
  readonly #db: MongoDatabase;
  readonly #clock: Clock;
  readonly #model: Model<ViewDocument>;

  /** @param db migrated with the service's collections */
  constructor(db: MongoDatabase, clock: Clock) {
    this.#db = db;
    this.#clock = clock;
    this.#model = db.model(viewForecasts);
  }

  /**
   * Writes moves: one read and one write for all of them.
   * @param stamp place of the moves in the order of changes
   * @returns ids of the shown ones; undefined when another writer came in between
   * @throws AppError 50301
   */
  async write(moves: readonly ViewMove[], stamp: number): Promise<readonly string[] | undefined> {
    if (moves.length === 0) return [];
    const known = await this.#read(moves.flatMap(idsOf));
    const writes = moves.flatMap((move) => decideMove(move, known));
    if (writes.length === 0) return [];
    const operations = writes.map((write) => this.#operationOf(write, known.get(write.id), stamp));
    try {
      const { matchedCount, insertedCount } = await this.#db.run(() => this.#model.collection.bulkWrite(operations, { ordered: false }));
      if (matchedCount + insertedCount < writes.length) return undefined;
    } catch (error) {
      if (error instanceof mongo.MongoBulkWriteError && isDuplicateKey(error)) return undefined;
      throw error;
    }
    return writes.flatMap(({ id, shown }) => (shown === null ? [] : [id]));
  }

  async #read(ids: readonly string[]): Promise<ReadonlyMap<string, StoredMove>> {
    const found = await this.#db.run(() =>
      this.#model.collection
        .find<StoredMove & { readonly _id: string }>({ _id: { $in: ids } } as object, {
          projection: { version: 1, revision: 1 },
          hint: { _id: 1 },
          batchSize: ids.length + 1,
        })
        .toArray(),
    );
    return new Map(found.map((move) => [move._id, move]));
  }

  #operationOf({ id, version, shown }: MoveWrite, known: StoredMove | undefined, stamp: number): mongo.AnyBulkWriteOperation {
    const filter = { _id: id, version: known?.version, revision: known?.revision } as object;
    if (shown === null) {
      const update = { $set: { version }, $unset: { warehouse_code: '', due_date: '' }, $inc: { revision: 1 } };
      return { updateOne: { filter, update } };
    }
    const { dueDate } = shown.content ?? {};
    const values = {
      warehouse_code: shown.warehouseCode,
      tenant_id: shown.tenantId,
      status: MOVED_STATUS,
      ...(dueDate && { due_date: dueDate }),
      closed_at: this.#clock.now(),
      version,
      forecast: JSON.stringify(shown),
    };
    if (known === undefined) return { insertOne: { document: { _id: id, ...values, stamp, revision: 1 } as object } };
    const update = { $set: values, ...(!dueDate && { $unset: { due_date: '' } }), $max: { stamp }, $inc: { revision: 1 } };
    return { updateOne: { filter, update } };
  }
}
