import type { Clock } from '@parcelway/kernel/clock';
import type { SqliteDatabase } from '@parcelway/sqlite/database';
import { SqliteOutbox } from '@parcelway/sqlite/outbox';
import { freePagesKind } from '@parcelway/sqlite/secure-delete';
import { outboxKind } from '@parcelway/sqlite/tenant-data';
import { createSqliteStore } from '@parcelway/store/sqlite/sqlite-store';
import { sqliteSchema } from '@parcelway/store/sqlite/sqlite-table';
import { createGatewayStores, gatewayCollections, type StoresWithOutbox } from './gateway-stores.ts';

/** Append-only from the first release on. */
const MIGRATIONS: readonly string[] = [sqliteSchema(gatewayCollections), SqliteOutbox.schema];

/** Brings the file up to date and opens the stores over it. */
export function createSqliteStores(db: SqliteDatabase, clock: Clock): StoresWithOutbox {
  db.migrate(MIGRATIONS);
  const outbox = new SqliteOutbox(db, clock);
  return createGatewayStores(createSqliteStore({ db, outbox }), {
    outbox,
    async check() {
      db.get('SELECT 1 FROM tenants LIMIT 1');
    },
    kinds: [outboxKind(db), freePagesKind(db)],
  });
}
