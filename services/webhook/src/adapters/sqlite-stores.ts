import type { SqliteDatabase } from '@parcelway/sqlite/database';
import type { WebhookStores } from '../ports.ts';
import { createSqliteEndpoints } from './sqlite-endpoints.ts';
import { createSqliteFeed } from './sqlite-feed.ts';
import { createSqliteIntake } from './sqlite-intake.ts';
import { createSqliteLog } from './sqlite-log.ts';
import { createSqliteQueue, reclaimLeases } from './sqlite-queue.ts';
import { createSqliteRedelivery } from './sqlite-redelivery.ts';
import { webhookMigrations } from './sqlite-schema.ts';
import { createSqliteUpkeep } from './sqlite-upkeep.ts';

/** Opens the service's stores over its SQLite file and takes back what a former process had leased. */
export async function openSqliteStores(db: SqliteDatabase): Promise<WebhookStores> {
  db.migrate(webhookMigrations);
  await reclaimLeases(db);
  return {
    endpoints: createSqliteEndpoints(db),
    intake: createSqliteIntake(db),
    queue: createSqliteQueue(db),
    log: createSqliteLog(db),
    redelivery: createSqliteRedelivery(db),
    feed: createSqliteFeed(db),
    upkeep: createSqliteUpkeep(db),
  };
}
