import { join } from 'node:path';
import { DatabaseSync } from '@photostructure/sqlite';
import type { LedgerFields } from './ledger-fields.ts';

const BUSY_MS = 10_000;
const WRITE = `INSERT INTO call_ledgers (connection_id, day, used, next_call_at, blocked_until, last_push_at) VALUES (?, ?, ?, 0, ?, 0)
  ON CONFLICT DO UPDATE SET day = excluded.day, used = excluded.used, blocked_until = excluded.blocked_until`;

/** Changes what a connection has called, in the file of a running platform. @param dataDirectory of the platform */
export function writeSqliteLedger(dataDirectory: string, connectionId: string, { day, used, blocked_until }: LedgerFields): void {
  const db = new DatabaseSync(join(dataDirectory, 'tracking.db'), { timeout: BUSY_MS });
  try {
    db.prepare(WRITE).run(connectionId, day, used, blocked_until);
  } finally {
    db.close();
  }
}
