import type { SqliteDatabase } from '@parcelway/sqlite/database';
import { SqliteIdempotencyStore } from '@parcelway/sqlite/idempotency';
import type { WebhookStores } from '../ports.ts';
import { createSqliteEndpoints, EndpointTable } from './sqlite-endpoints.ts';
import { createSqliteFeed } from './sqlite-feed.ts';
import { DeliveriesInHand } from './sqlite-in-hand.ts';
import { createSqliteIntake } from './sqlite-intake.ts';
import { createSqliteLog } from './sqlite-log.ts';
import { createSqliteQueue, reclaimLeases } from './sqlite-queue.ts';
import { createSqliteRedelivery } from './sqlite-redelivery.ts';
import { webhookMigrations } from './sqlite-schema.ts';
import { createSqliteUpkeep } from './sqlite-upkeep.ts';

/** Opens the service's stores over its SQLite file and takes back what a former process had leased. */
export async function openSqliteStores(db: SqliteDatabase): Promise<WebhookStores> {
  db.migrate(webhookMigrations);
  const endpoints = new EndpointTable(db);
  const inHand = new DeliveriesInHand(db);
  const tables = { db, endpoints, inHand };
  await reclaimLeases(tables);
  return {
    idempotency: new SqliteIdempotencyStore(db),
    endpoints: createSqliteEndpoints(db, endpoints),
    intake: createSqliteIntake(tables),
    queue: createSqliteQueue(tables),
    log: createSqliteLog(db, inHand),
    redelivery: createSqliteRedelivery(db),
    feed: createSqliteFeed(db),
    upkeep: createSqliteUpkeep(tables),
  };
}
