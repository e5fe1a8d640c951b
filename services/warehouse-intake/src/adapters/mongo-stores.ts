import type { Clock } from '@parcelway/kernel/clock';
import type { MongoDatabase } from '@parcelway/mongo/mongo-database';
import { MongoServerTime } from '@parcelway/mongo/mongo-server-time';
import { createMongoStore } from '@parcelway/store/mongo/mongo-store';
import { createIdempotencyStore } from '@parcelway/store/shared/idempotency-keys';
import { MongoView } from '../expected/adapters/mongo-view.ts';
import { MongoViewChanges } from '../expected/adapters/mongo-view-changes.ts';
import { MongoEventOutcomes } from '../reports/adapters/mongo-event-outcomes.ts';
import { MongoIntakeStore } from '../reports/adapters/mongo-intake-store.ts';
import { MongoRejections } from '../reports/adapters/mongo-rejections.ts';
import { MongoReports } from '../reports/adapters/mongo-reports.ts';
import { MongoExpiredForecasts } from './mongo-expired-forecasts.ts';

/**
 * The stores of the service over MongoDB.
 * @param db migrated with intakeCollections
 * @param keepsChanges records changes of the view for systems outside the platform
 */
export function openMongoStores(db: MongoDatabase, clock: Clock, keepsChanges = true) {
  return {
    intake: new MongoIntakeStore(db, clock),
    outcomes: new MongoEventOutcomes(db, clock),
    rejections: new MongoRejections(db),
    reports: new MongoReports(db),
    keys: createIdempotencyStore(createMongoStore(db)),
    view: new MongoView(db, clock, new MongoServerTime(db), keepsChanges),
    expired: new MongoExpiredForecasts(db),
    changes: new MongoViewChanges(db, clock),
  };
}
