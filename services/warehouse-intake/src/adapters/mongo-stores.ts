import type { Clock } from '@parcelway/kernel/clock';
import type { MongoDatabase } from '@parcelway/mongo/mongo-database';
import { MongoIdempotencyStore } from '@parcelway/mongo/mongo-idempotency';
import { MongoServerTime } from '@parcelway/mongo/mongo-server-time';
import { MongoView } from '../expected/adapters/mongo-view.ts';
import { MongoViewChanges } from '../expected/adapters/mongo-view-changes.ts';
import { MongoClaimedNumbers } from '../reports/adapters/mongo-claimed-numbers.ts';
import { MongoEventOutcomes } from '../reports/adapters/mongo-event-outcomes.ts';
import { MongoIntakeStore } from '../reports/adapters/mongo-intake-store.ts';
import { MongoRejections } from '../reports/adapters/mongo-rejections.ts';
import { MongoReports } from '../reports/adapters/mongo-reports.ts';
import { MongoExpiredForecasts } from './mongo-expired-forecasts.ts';

/** What became of events, over the same database. */
export interface MongoOutcomeStores {
  readonly outcomes: MongoEventOutcomes;
  readonly rejections: MongoRejections;
  readonly reports: MongoReports;
  readonly claimed: MongoClaimedNumbers;
  readonly keys: MongoIdempotencyStore;
}

/** Opens what shows the outcome of events, over the same database. */
export function openMongoOutcomes(db: MongoDatabase, clock: Clock): MongoOutcomeStores {
  return {
    outcomes: new MongoEventOutcomes(db, clock),
    rejections: new MongoRejections(db),
    reports: new MongoReports(db),
    claimed: new MongoClaimedNumbers(db),
    keys: new MongoIdempotencyStore(db),
  };
}

/** The store of the service over MongoDB. `db`: migrated with intakeCollections. */
export function openMongoStores(db: MongoDatabase, clock: Clock): MongoIntakeStore {
  return new MongoIntakeStore(db, clock);
}

/** The warehouse's view over the same database. @param keepsChanges writes down what systems outside are to hear of changes */
export function openMongoView(db: MongoDatabase, clock: Clock, keepsChanges: boolean): MongoView {
  return new MongoView(db, clock, new MongoServerTime(db), keepsChanges);
}

/** What takes expired forecasts out of the same database. */
export function openMongoExpired(db: MongoDatabase): MongoExpiredForecasts {
  return new MongoExpiredForecasts(db);
}

/** What systems outside are still to hear of the view, over the same database. */
export function openMongoViewChanges(db: MongoDatabase, clock: Clock): MongoViewChanges {
  return new MongoViewChanges(db, clock);
}
