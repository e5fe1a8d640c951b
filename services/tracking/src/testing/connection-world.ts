import { ManualClock } from '@parcelway/kernel/clock';
import type { Logger } from '@parcelway/kernel/logger';
import { createTextSealer, type TextSealer } from '@parcelway/kernel/sealed-text';
import { SqliteDatabase } from '@parcelway/sqlite/database';
import { createSqliteStore } from '@parcelway/store/sqlite/sqlite-store';
import { sqliteSchema } from '@parcelway/store/sqlite/sqlite-table';
import { createCallLedgers } from '../accounts/call-ledgers.ts';
import { connectionCollections } from '../accounts/connection-collections.ts';
import { createConnectionStore } from '../accounts/connection-store.ts';
import type { Connection } from '../accounts/domain/connection.ts';
import { createFindConnections, type FindConnections } from '../accounts/find-connections.ts';
import { ConnectionManager } from '../accounts/manage-connections.ts';
import { trackingSources } from '../sources/source-list.ts';
import { NOW } from './samples.ts';

/** A secret of an installation. */
export const secretOf = (letter: string): string => letter.repeat(40);

/** The management of connections over a database in memory. */
export type ConnectionWorld = ReturnType<typeof openConnectionWorld>;

/** Keeps what is logged. */
export function recordingLogger(log: string[]): Logger {
  const write = (fields: unknown, text?: string): void => {
    const error = (fields as { readonly err?: unknown } | null)?.err;
    log.push(JSON.stringify([fields, error instanceof Error ? error.message : '', text]));
  };
  const logger = { trace: write, debug: write, info: write, warn: write, error: write, fatal: write, child: () => logger };
  return logger as unknown as Logger;
}

/** Opens it. @param configured connections of the operator from the configuration */
export function openConnectionWorld(configured: readonly Connection[] = []) {
  const db = new SqliteDatabase(':memory:');
  db.migrate([sqliteSchema(connectionCollections)]);
  const documents = createSqliteStore({ db });
  const store = createConnectionStore(documents);
  const clock = new ManualClock(NOW);
  const log: string[] = [];
  const tested: Connection[] = [];
  const logger = recordingLogger(log);
  const findWith = (sealer: TextSealer) => createFindConnections({ configured, store, sealer, clock, logger });
  const managerOf = (sealer: TextSealer, find: FindConnections) =>
    new ConnectionManager({
      store,
      sealer,
      configured,
      sources: trackingSources,
      find,
      clock,
      logger,
      async testConnection(connection) {
        tested.push(connection);
        return { result: 'works', message: 'It works' };
      },
    });
  const sealer = createTextSealer([secretOf('a')]);
  const find = findWith(sealer);
  return {
    manager: managerOf(sealer, find),
    store,
    ledgers: createCallLedgers(documents),
    find,
    clock,
    /** Connections that were tested. */
    tested,
    /** Everything that was logged, as JSON. */
    log,
    /** The same database with other secrets. */
    withSecrets(secrets: readonly string[]): ConnectionManager {
      const other = createTextSealer(secrets);
      return managerOf(other, findWith(other));
    },
    close: () => db.close(),
  };
}
