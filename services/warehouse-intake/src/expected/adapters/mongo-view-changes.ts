import type { Clock } from '@parcelway/kernel/clock';
import type { MongoDatabase } from '@parcelway/mongo/mongo-database';
import { MongoOutbox } from '@parcelway/mongo/mongo-outbox';
import { type OutboxEntry, withOutbox } from '@parcelway/mongo/mongo-outbox-fields';
import type { Model } from 'mongoose';
import type { ViewForecast, ViewItem } from '../domain/forecast-copy.ts';
import type { CompleteForecast, ViewChanges } from '../ports.ts';
import { type ViewDocument, viewForecasts } from './mongo-view-schema.ts';

/** Changes of the warehouse's view that are still pending for systems outside, each in the document of its forecast. */
export class MongoViewChanges implements ViewChanges {
  /** Names forecasts and changes. */
  readonly outbox: MongoOutbox;
  readonly #db: MongoDatabase;
  readonly #clock: Clock;
  readonly #model: Model<ViewDocument>;

  /** @param db migrated with the service's collections */
  constructor(db: MongoDatabase, clock: Clock) {
    this.#db = db;
    this.#clock = clock;
    this.#model = db.model(viewForecasts);
    this.outbox = new MongoOutbox(db, viewForecasts, { clock });
  }

  async sizes(forecastNos: readonly string[]): Promise<ReadonlyMap<string, number>> {
    const options = { projection: { bytes: { $bsonSize: '$$ROOT' } }, hint: { _id: 1 }, batchSize: forecastNos.length + 1 } as const;
    const found = await this.#db.run(() =>
      this.#model.collection.find<{ _id: string; bytes: number }>({ _id: { $in: forecastNos } } as object, options).toArray(),
    );
    return new Map(found.map(({ _id, bytes }) => [_id, bytes]));
  }

  async current(forecastNos: readonly string[]): Promise<readonly CompleteForecast[]> {
    const found = await this.#db.run(() =>
      this.#model.collection
        .find<Pick<ViewDocument, 'forecast' | 'stamp' | 'items'>>({ _id: { $in: forecastNos } } as object, {
          projection: { _id: 0, forecast: 1, stamp: 1, items: 1 },
          hint: { _id: 1 },
        })
        .toArray(),
    );
    return found.map(({ forecast, stamp, items }) => ({
      forecast: JSON.parse(forecast) as ViewForecast,
      stamp,
      items: JSON.parse(items ?? '[]') as readonly ViewItem[],
    }));
  }

  async repeat(entries: readonly OutboxEntry[]): Promise<void> {
    if (entries.length === 0) return;
    const now = this.#clock.now();
    await this.#db.run(() =>
      this.#model.collection.bulkWrite(
        entries.map((entry) => ({
          updateOne: { filter: { _id: entry.key } as object, update: withOutbox({}, [entry], now) as object },
        })),
        { ordered: false },
      ),
    );
  }
}
