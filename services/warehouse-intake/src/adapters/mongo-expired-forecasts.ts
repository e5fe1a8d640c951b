import type { MongoDatabase } from '@parcelway/mongo/mongo-database';
import type { ExpiredForecasts, ForecastName } from '../expired-forecasts.ts';
import { forecasts } from '../matching/adapters/mongo-schema.ts';
import { viewForecasts } from '../view/adapters/mongo-view-schema.ts';

/** Takes expired forecasts out of directory and view in MongoDB. */
export class MongoExpiredForecasts implements ExpiredForecasts {
  readonly #db: MongoDatabase;

  /** @param db migrated with intakeCollections */
  constructor(db: MongoDatabase) {
    this.#db = db;
  }

  async drop(expired: readonly ForecastName[]): Promise<void> {
    // Numbers of forecasts are unique over all tenants but for chance: a copy of another tenant's stays.
    const named = expired.map(({ tenantId, forecastNo }) => ({ _id: forecastNo, tenant_id: tenantId }));
    for (const collection of [forecasts, viewForecasts]) {
      const model = this.#db.model<object>(collection as never);
      await this.#db.run(() => model.bulkWrite(named.map((filter) => ({ deleteOne: { filter } })) as never, { ordered: false }));
    }
  }
}
