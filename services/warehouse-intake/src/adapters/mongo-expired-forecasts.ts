import { AppError } from '@parcelway/kernel/app-error';
import type { MongoDatabase } from '@parcelway/mongo/mongo-database';
import { events, forecasts } from '../expected/adapters/mongo-schema.ts';
import { viewForecasts } from '../expected/adapters/mongo-view-schema.ts';
import { movedIds } from '../expected/domain/seen-by-warehouse.ts';
import type { ExpiredForecasts, ForecastName } from '../expected/ports.ts';
import { resolutions } from '../reports/adapters/mongo-resolution-schema.ts';

/** Takes expired forecasts out of directory and view in MongoDB. */
export class MongoExpiredForecasts implements ExpiredForecasts {
  readonly #db: MongoDatabase;

  /** @param db migrated with intakeCollections */
  constructor(db: MongoDatabase) {
    this.#db = db;
  }

  async drop(expired: readonly ForecastName[]): Promise<void> {
    const own = await this.#own(expired);
    if (own.length === 0) return;
    const named = own.map(({ tenantId, forecastNo }) => ({ _id: forecastNo, tenant_id: tenantId }));
    for (const collection of [forecasts, viewForecasts]) {
      const model = this.#db.model<object>(collection as never);
      await this.#db.run(() => model.bulkWrite(named.map((filter) => ({ deleteOne: { filter } })) as never, { ordered: false }));
    }
    await this.#dropMoves(own);
    // After the directory: no further report is published for them.
    await this.#dropReports(own.map(({ forecastNo }) => forecastNo));
  }

  /** What former warehouses are shown of forecasts. */
  async #dropMoves(own: readonly ForecastName[]): Promise<void> {
    const operations = own.map(({ tenantId, forecastNo }) => {
      const { from, before } = movedIds(forecastNo);
      return { deleteMany: { filter: { tenant_id: tenantId, _id: { $gte: from, $lt: before } } as object } };
    });
    await this.#db.run(() => this.#db.model(viewForecasts).collection.bulkWrite(operations, { ordered: false }));
  }

  /** Numbers of forecasts are unique over all tenants but for chance: what another tenant has stays. */
  async #own(expired: readonly ForecastName[]): Promise<readonly ForecastName[]> {
    const ids = expired.map(({ forecastNo }) => forecastNo);
    const found = await this.#db.run(() =>
      this.#db
        .model(forecasts)
        .collection.find({ _id: { $in: ids } } as object, { projection: { tenant_id: 1 } })
        .toArray(),
    );
    const owners = new Map(found.map(({ _id, tenant_id }) => [String(_id), tenant_id as unknown]));
    return expired.filter(({ tenantId, forecastNo }) => (owners.get(forecastNo) ?? tenantId) === tenantId);
  }

  /** What was published for forecasts; what names them and waits, because it came from another warehouse; and what was resolved. */
  async #dropReports(forecastNos: readonly string[]): Promise<void> {
    const these = { $in: [...forecastNos] };
    const reported = this.#db.model(events).collection;
    await this.#db.run(() => reported.deleteMany({ published_to: these, outbox_due: { $exists: false } }));
    await this.#db.run(() => reported.deleteMany({ forecast_no: these, waiting: { $exists: true } }));
    await this.#db.run(() => this.#db.model(resolutions).collection.deleteMany({ forecast_no: these }));
    // An event carries its message. The message names photos, so it is not lost with the event.
    const waits = await this.#db.run(() => reported.findOne({ published_to: these }, { projection: { _id: 1 } }));
    if (waits !== null) throw AppError.unavailable('Reports of expired forecasts are not published yet');
  }
}
