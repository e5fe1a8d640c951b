import { photoTokensIn } from '@parcelway/contracts/photo-tokens';
import type { TextSealer } from '@parcelway/kernel/sealed-text';
import type { TenantData } from '@parcelway/kernel/tenant-data';
import type { MongoDatabase } from '@parcelway/mongo/mongo-database';
import { mongoKind, withoutOutbox } from '@parcelway/mongo/mongo-tenant-data';
import { createMongoStore } from '@parcelway/store/mongo/mongo-store';
import { createErasedTenants } from '@parcelway/store/shared/erased-tenants';
import { idempotencyKind } from '@parcelway/store/shared/idempotency-keys';
import type { mongo } from 'mongoose';
import { numberCounts } from '../../expected/adapters/mongo-number-counts.ts';
import { type EventDocument, events, forecasts } from '../../expected/adapters/mongo-schema.ts';
import { viewForecasts } from '../../expected/adapters/mongo-view-schema.ts';
import type { ViewForecast } from '../../expected/domain/forecast-copy.ts';
import { type ResolutionDocument, resolutions } from '../../reports/adapters/mongo-resolution-schema.ts';
import { eventRecord } from './event-record.ts';

type Document = Readonly<Record<string, unknown>>;

/** What the data works with. */
export interface MongoTenantDataOptions {
  /** Opens details of dispatches. */
  readonly sealer: TextSealer;
  /** Takes back what systems outside know of forecasts. @throws AppError 50301 */
  readonly retract: (forecastNos: readonly string[]) => Promise<void>;
}

/** Forecasts that one step reads or deletes, with all that was reported of them. */
const FORECASTS_AT_ONCE = 20;

const owned = { owner: 'tenant_id', order: '_id' } as const;

/** What was reported of forecasts. */
class Reports {
  readonly #events: mongo.Collection<EventDocument>;
  readonly #resolutions: mongo.Collection<ResolutionDocument>;

  constructor(db: MongoDatabase) {
    this.#events = db.model(events).collection as unknown as mongo.Collection<EventDocument>;
    this.#resolutions = db.model(resolutions).collection as unknown as mongo.Collection<ResolutionDocument>;
  }

  /** What was applied, and what names the forecast and waits, because it came from another warehouse. */
  async eventsOf(forecastNo: string): Promise<readonly EventDocument[]> {
    const applied = await this.#events.find({ published_to: forecastNo }).toArray();
    return [...applied, ...(await this.#events.find({ forecast_no: forecastNo, waiting: { $exists: true } }).toArray())];
  }

  async claimsOf(forecastNo: string): Promise<readonly Document[]> {
    const projection = { _id: 0, event_id: 1, number: 1, action: 1, resolved_at: 1 };
    return this.#resolutions.find({ forecast_no: forecastNo }, { projection }).toArray();
  }

  async erase(forecastNos: string[]): Promise<void> {
    await this.#events.deleteMany({ published_to: { $in: forecastNos } });
    await this.#events.deleteMany({ forecast_no: { $in: forecastNos }, waiting: { $exists: true } });
    await this.#resolutions.deleteMany({ forecast_no: { $in: forecastNos } });
  }
}

const numberOf = ({ _id }: Document): string => String(_id);

function viewRecord(document: Document): Document {
  const { forecast, items, stamp: _stamp, revision: _revision, live_keys: _live, past_keys: _past, ...rest } = withoutOutbox(document);
  return {
    ...rest,
    forecast: JSON.parse(String(forecast)) as unknown,
    items: items === undefined ? [] : (JSON.parse(String(items)) as unknown),
  };
}

/** What the service stores about tenants, in MongoDB. @param db migrated with the collections of the service */
export function createMongoTenantData(db: MongoDatabase, { sealer, retract }: MongoTenantDataOptions): TenantData {
  const reports = new Reports(db);
  return {
    kinds: [
      mongoKind(db, forecasts, {
        name: 'photos',
        owned,
        batch: FORECASTS_AT_ONCE,
        isCopy: true,
        async record(document) {
          const reported = await reports.eventsOf(numberOf(document));
          return { forecast_no: document['_id'], tokens: photoTokensIn(reported.map(({ event }) => JSON.parse(event) as unknown)) };
        },
      }),
      mongoKind(db, forecasts, {
        name: 'parcels',
        owned,
        batch: FORECASTS_AT_ONCE,
        async record(document) {
          const { freed: _freed, left: _left, ...rest } = withoutOutbox(document);
          const reported = await reports.eventsOf(numberOf(document));
          return {
            forecast_no: document['_id'],
            ...rest,
            events: reported.map(({ event, received_at }) => eventRecord(sealer, event, received_at)),
            claims: await reports.claimsOf(numberOf(document)),
          };
        },
        before: (_tenantId, documents) => reports.erase(documents.map(numberOf)),
      }),
      mongoKind(db, viewForecasts, {
        name: 'view_forecasts',
        owned,
        batch: FORECASTS_AT_ONCE,
        record: viewRecord,
        // Before the documents: what is not deleted is retracted once more.
        before: (_tenantId, documents) =>
          retract([...new Set(documents.map(({ forecast }) => (JSON.parse(String(forecast)) as ViewForecast).forecastNo))]),
      }),
      mongoKind(db, numberCounts, {
        name: 'declared_numbers',
        owned: { owner: 'tenant_id', order: 'tenant_id' },
        record: ({ unseen, most, seen }) => ({ unseen, most, seen }),
      }),
      idempotencyKind(createMongoStore(db)),
    ],
    erased: createErasedTenants(createMongoStore(db)),
  };
}
