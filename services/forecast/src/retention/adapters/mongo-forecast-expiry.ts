import type { EncodedMessage } from '@parcelway/contracts/encode-event';
import { forecastStatuses } from '@parcelway/contracts/forecast-status';
import { AppError } from '@parcelway/kernel/app-error';
import type { Clock } from '@parcelway/kernel/clock';
import type { MongoDatabase } from '@parcelway/mongo/mongo-database';
import { withOutbox } from '@parcelway/mongo/mongo-outbox-fields';
import { type Model, mongo } from 'mongoose';
import { documentId, type ForecastDocument, forecastIndexes, forecasts } from '../../store/adapters/mongo-schema.ts';
import type { EndedForecast, EndPosition, ExpiredForecast, ForecastExpiry } from '../ports.ts';
import { type ExpiryDocument, forecastExpiries } from './mongo-retention-schema.ts';

/** What the partial index of ended forecasts holds. */
const HAS_ENDED = { status: { $gte: forecastStatuses.COMPLETED } } as const;

const ENDED_FIELDS = { _id: 0, tenant_id: 1, forecast_no: 1, forecast_id: 1, item_count: 1, updated_at: 1, version: 1 } as const;

/** Messages that a tenant's document holds at most before more are added. */
const MAX_WAITING = 1000;

/** Another writer was faster: the server's code. */
const WRITE_CONFLICT = 112;

type EndedDocument = Pick<ForecastDocument, 'tenant_id' | 'forecast_no' | 'forecast_id' | 'item_count' | 'updated_at' | 'version'>;

function toEnded(document: EndedDocument): EndedForecast {
  const {
    tenant_id: tenantId,
    forecast_no: forecastNo,
    forecast_id: forecastId,
    item_count: itemCount,
    updated_at: endedAt,
    version,
  } = document;
  return { tenantId, forecastNo, forecastId, itemCount, endedAt, version };
}

const idOf = ({ tenantId, forecastNo }: EndedForecast): string => documentId(tenantId, forecastNo);

export class MongoForecastExpiry implements ForecastExpiry {
  readonly #db: MongoDatabase;
  readonly #clock: Clock;
  readonly #forecasts: Model<ForecastDocument>;
  readonly #expiries: Model<ExpiryDocument>;

  /** @param db migrated with forecastCollections */
  constructor(db: MongoDatabase, clock: Clock) {
    this.#db = db;
    this.#clock = clock;
    this.#forecasts = db.model(forecasts);
    this.#expiries = db.model(forecastExpiries);
  }

  async nextTenant(after: string): Promise<{ readonly tenantId: string; readonly endedAt: number } | undefined> {
    const found = await this.#db.run(() =>
      this.#forecasts
        .findOne({ ...HAS_ENDED, tenant_id: { $gt: after } }, ENDED_FIELDS)
        .sort({ tenant_id: 1, updated_at: 1 })
        .hint(forecastIndexes.ended)
        .lean<EndedDocument>(),
    );
    return found === null ? undefined : { tenantId: found.tenant_id, endedAt: found.updated_at };
  }

  async ended(tenantId: string, before: number, after: EndPosition | undefined, limit: number): Promise<readonly EndedForecast[]> {
    const from = after === undefined ? {} : { $gte: after.endedAt };
    const behind = after && { $or: [{ updated_at: { $gt: after.endedAt } }, { forecast_id: { $gt: after.forecastId } }] };
    const filter = { ...HAS_ENDED, tenant_id: { $eq: tenantId }, updated_at: { ...from, $lt: before }, ...behind };
    const found = await this.#db.run(() =>
      this.#forecasts
        .find(filter, ENDED_FIELDS)
        .sort({ updated_at: 1, forecast_id: 1 })
        .limit(limit)
        .hint(forecastIndexes.ended)
        .lean<EndedDocument[]>(),
    );
    return found.map(toEnded);
  }

  /*
   * A transaction, because a deleted forecast cannot carry its message: the document of the tenant does, and neither may happen without the other.
   */
  async expire(tenantId: string, expired: readonly ExpiredForecast[]): Promise<readonly EndedForecast[]> {
    return this.#db.run(async () => {
      await this.#assertRoom(tenantId);
      const session = await this.#db.connection.startSession();
      try {
        session.startTransaction();
        const unchanged = await this.#expireIn(session, tenantId, expired);
        await session.commitTransaction();
        return unchanged;
      } catch (error) {
        // The next turn reads them again.
        if (error instanceof mongo.MongoServerError && error.code === WRITE_CONFLICT) return [];
        throw error;
      } finally {
        await session.endSession();
      }
    });
  }

  async filesExpiredTo(tenantId: string): Promise<EndPosition | undefined> {
    const found = await this.#db.run(() => this.#expiries.findOne({ _id: { $eq: tenantId } }, { files_to: 1 }).lean<ExpiryDocument>());
    return found?.files_to && { endedAt: found.files_to.ended_at, forecastId: found.files_to.forecast_id };
  }

  async expireFiles(
    tenantId: string,
    { endedAt, forecastId }: EndPosition,
    messages: readonly EncodedMessage[],
    skipped: readonly string[] = [],
  ): Promise<void> {
    await this.#db.run(async () => {
      await this.#assertRoom(tenantId);
      const files_to = { ended_at: endedAt, forecast_id: forecastId };
      const skips = skipped.length > 0 && { $addToSet: { files_skipped: { $each: skipped } } };
      const update = withOutbox({ $set: { files_to }, ...skips }, messages, this.#clock.now());
      await this.#expiries.collection.updateOne({ _id: tenantId } as object, update as object, { upsert: true });
    });
  }

  async filesSkipped(tenantId: string): Promise<readonly string[]> {
    const found = await this.#db.run(() => this.#expiries.findOne({ _id: { $eq: tenantId } }, { files_skipped: 1 }).lean<ExpiryDocument>());
    return found?.files_skipped ?? [];
  }

  async settleFiles(tenantId: string, forecastNo: string, messages: readonly EncodedMessage[]): Promise<void> {
    await this.#db.run(async () => {
      await this.#assertRoom(tenantId);
      const update = withOutbox({ $pull: { files_skipped: forecastNo } }, messages, this.#clock.now());
      // One that was erased meanwhile has nothing to publish.
      await this.#expiries.collection.updateOne({ _id: tenantId } as object, update as object);
    });
  }

  /** @throws AppError 50301 while the log is out, so that the document of a tenant does not grow without end */
  async #assertRoom(tenantId: string): Promise<void> {
    const full = { _id: tenantId, [`outbox.${MAX_WAITING}`]: { $exists: true } };
    if ((await this.#expiries.collection.findOne(full as object, { projection: { _id: 1 } })) === null) return;
    throw AppError.unavailable('The messages of forecasts that expired before are not published yet');
  }

  async #expireIn(session: mongo.ClientSession, tenantId: string, expired: readonly ExpiredForecast[]): Promise<readonly EndedForecast[]> {
    const stored = this.#forecasts.collection;
    const ids = expired.map(({ forecast }) => idOf(forecast));
    const free = { _id: { $in: ids }, tenant_id: tenantId, outbox_due: { $exists: false } } as object;
    const found = await stored.find(free, { projection: { version: 1 }, session }).toArray();
    const versions = new Map(found.map(({ _id, version }) => [String(_id), version as number]));
    const unchanged = expired.filter(({ forecast }) => versions.get(idOf(forecast)) === forecast.version);
    if (unchanged.length === 0) return [];
    await stored.deleteMany({ _id: { $in: unchanged.map(({ forecast }) => idOf(forecast)) }, tenant_id: tenantId } as object, { session });
    const messages = unchanged.map(({ message }) => message);
    const update = withOutbox({}, messages, this.#clock.now());
    await this.#expiries.collection.updateOne({ _id: tenantId } as object, update as object, { upsert: true, session });
    return unchanged.map(({ forecast }) => forecast);
  }
}
