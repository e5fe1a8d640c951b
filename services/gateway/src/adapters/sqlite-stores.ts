import type { SqliteDatabase } from '@parcelway/sqlite/database';
import type { MessageLog } from '@parcelway/sqlite/message-log';
import { freePagesKind } from '@parcelway/sqlite/secure-delete';
import { createSqliteStore } from '@parcelway/store/sqlite/sqlite-store';
import { sqliteSchema } from '@parcelway/store/sqlite/sqlite-table';
import { createGatewayStores, type GatewayStores, gatewayCollections } from './gateway-stores.ts';

/** Append-only from the first release on. */
const MIGRATIONS = [sqliteSchema(gatewayCollections)];

/** Brings the tables up to date and opens the stores over them. */
export function createSqliteStores(db: SqliteDatabase, log: MessageLog): GatewayStores {
  db.migrate(MIGRATIONS);
  return createGatewayStores(createSqliteStore({ db, log }), {
    async check() {
      db.get('SELECT 1 AS one');
    },
    kinds: [freePagesKind(db)],
  });
}
