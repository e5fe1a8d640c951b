import { ManualClock } from '@parcelway/kernel/clock';
import type { Logger } from '@parcelway/kernel/logger';
import { createTextSealer } from '@parcelway/kernel/sealed-text';
import { SqliteDatabase } from '@parcelway/sqlite/database';
import { createSqliteStore } from '@parcelway/store/sqlite/sqlite-store';
import { sqliteSchema } from '@parcelway/store/sqlite/sqlite-table';
import { createCallLedgers } from '../accounts/call-ledgers.ts';
import { connectionCollections } from '../accounts/connection-collections.ts';
import { Connections } from '../accounts/connections.ts';
import type { Connection } from '../accounts/domain/connection.ts';
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
  db.declare(sqliteSchema(connectionCollections));
  const store = createSqliteStore({ db });
  const clock = new ManualClock(NOW);
  const log: string[] = [];
  /** The connections, as a process with these secrets sees them. */
  const withSecrets = (...secrets: string[]): Connections =>
    new Connections({
      store,
      sealer: createTextSealer(secrets),
      configured,
      sources: trackingSources,
      clock,
      logger: recordingLogger(log),
    });
  return {
    connections: withSecrets(secretOf('a')),
    withSecrets,
    store,
    ledgers: createCallLedgers(store),
    clock,
    /** Everything that was logged, as JSON. */
    log,
    close: () => db.close(),
  };
}
