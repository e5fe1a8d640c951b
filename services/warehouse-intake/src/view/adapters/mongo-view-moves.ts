import type { Clock } from '@parcelway/kernel/clock';
import type { MongoDatabase } from '@parcelway/mongo/mongo-database';
import { isDuplicateKey } from '@parcelway/mongo/mongo-errors';
import type { Model } from 'mongoose';
import { MOVED_STATUS, movedId, type ViewForecast } from '../domain/view-forecast.ts';
import { type ViewDocument, viewForecasts } from './mongo-view-schema.ts';
import type { ViewStamps } from './mongo-view-stamps.ts';

/**
 * Leaves word at the warehouses that forecasts have moved away from: a document for each forecast and former warehouse. It is
 * written before the forecast's own document, so a crash in between repeats it. It names the version of the forecast that it is
 * true of, so a process that is late never undoes what another has learnt since.
 */
export class ViewMoves {
  readonly #db: MongoDatabase;
  readonly #clock: Clock;
  readonly #model: Model<ViewDocument>;
  readonly #stamps: ViewStamps;

  /** @param db migrated with the service's collections */
  constructor(db: MongoDatabase, clock: Clock, stamps: ViewStamps) {
    this.#db = db;
    this.#clock = clock;
    this.#model = db.model(viewForecasts);
    this.#stamps = stamps;
  }

  /**
   * Says at the former warehouse that the forecast has left, and no longer says so where it is now.
   * @param away what the former warehouse is shown
   * @param after the forecast at its new warehouse
   * @returns to be called when the forecast itself is written: polls in between have shown it beside the word of its move, and show that again
   * @throws AppError 50301
   */
  async note(away: ViewForecast, after: ViewForecast): Promise<() => Promise<void>> {
    const version = after.content?.version ?? 1;
    const stamp = await this.#stamps.take();
    const id = movedId(away.forecastNo, String(away.warehouseCode));
    const isNoted = await this.#leave(id, away, version, stamp.at);
    await this.#return(movedId(after.forecastNo, String(after.warehouseCode)), version);
    return async () => {
      if (isNoted) await this.#stamps.confirm(id, stamp);
    };
  }

  /** @returns false when there is a newer word of it: the forecast has come back since */
  async #leave(id: string, away: ViewForecast, version: number, stamp: number): Promise<boolean> {
    const { dueDate } = away.content ?? {};
    const values = {
      warehouse_code: away.warehouseCode,
      tenant_id: away.tenantId,
      status: MOVED_STATUS,
      ...(dueDate && { due_date: dueDate }),
      closed_at: this.#clock.now(),
      version,
      forecast: JSON.stringify(away),
    };
    const update = {
      $set: values,
      ...(!dueDate && { $unset: { due_date: '' } }),
      $max: { stamp },
      $inc: { revision: 1 },
    };
    try {
      await this.#db.run(() =>
        this.#model.collection.updateOne({ _id: id, version: { $lte: version } } as object, update as object, { upsert: true }),
      );
      return true;
    } catch (error) {
      if (isDuplicateKey(error)) return false;
      throw error;
    }
  }

  /** The document stays for as long as any, out of every list, to refuse what is older. */
  async #return(id: string, version: number): Promise<void> {
    const gone = { $set: { version }, $unset: { warehouse_code: '', due_date: '' } };
    await this.#db.run(() => this.#model.collection.updateOne({ _id: id, version: { $lt: version } } as object, gone as object));
  }
}
