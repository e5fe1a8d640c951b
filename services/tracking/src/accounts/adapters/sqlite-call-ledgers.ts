import type { SqliteDatabase } from '@parcelway/sqlite/database';
import { type CallLedger, EMPTY_LEDGER } from '../domain/call-ledger.ts';
import type { CallLedgers } from '../ports.ts';

interface Row {
  readonly day: number;
  readonly used: number;
  readonly next_call_at: number;
  readonly blocked_until: number;
  readonly last_push_at: number;
}

const WRITE = `INSERT INTO call_ledgers (connection_id, day, used, next_call_at, blocked_until, last_push_at) VALUES (?, ?, ?, ?, ?, ?)
  ON CONFLICT DO UPDATE SET day = excluded.day, used = excluded.used, next_call_at = excluded.next_call_at,
    blocked_until = excluded.blocked_until, last_push_at = excluded.last_push_at`;

/** A decision is pure but for the time, and writes nowhere but here. */
const REPEATABLE = { repeatable: true } as const;

/** What connections have called, in the service's SQLite file. */
export function createSqliteCallLedgers(db: SqliteDatabase): CallLedgers {
  const read = (connectionId: string): CallLedger => {
    const row = db.get<Row>('SELECT * FROM call_ledgers WHERE connection_id = ?', connectionId);
    if (row === undefined) return EMPTY_LEDGER;
    const { day, used, next_call_at, blocked_until, last_push_at } = row;
    return { day, used, nextCallAt: next_call_at, blockedUntil: blocked_until, lastPushAt: last_push_at };
  };
  const write = (connectionId: string, { day, used, nextCallAt, blockedUntil, lastPushAt }: CallLedger): void => {
    db.run(WRITE, connectionId, day, used, nextCallAt, blockedUntil, lastPushAt);
  };
  return {
    async take(connectionId, decide) {
      // A refusal changes nothing: it costs no commit.
      const { verdict } = decide(read(connectionId));
      if (!verdict.isGranted) return verdict;
      return db.transaction(() => {
        const before = read(connectionId);
        const decision = decide(before);
        if (decision.ledger !== before) write(connectionId, decision.ledger);
        return decision.verdict;
      }, REPEATABLE);
    },

    async change(connectionId, change) {
      const seen = read(connectionId);
      if (change(seen) === seen) return;
      await db.transaction(() => {
        const before = read(connectionId);
        const after = change(before);
        if (after !== before) write(connectionId, after);
      });
    },

    read: async (connectionId) => read(connectionId),
  };
}
