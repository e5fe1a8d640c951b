import type { Clock } from '@parcelway/kernel/clock';
import type { SqliteDatabase } from '@parcelway/sqlite/database';
import { CommittedMessages } from '@parcelway/sqlite/testing/committed-messages';
import { intakeMigrations } from '../adapters/sqlite-migrations.ts';
import { SqliteIntakeStore } from '../reports/adapters/sqlite-intake-store.ts';

/** The store over a file, which is brought up to date first. */
export function openSqliteIntake(db: SqliteDatabase, clock: Clock): SqliteIntakeStore & { readonly outbox: CommittedMessages } {
  db.migrate(intakeMigrations);
  const outbox = new CommittedMessages(db);
  return Object.assign(new SqliteIntakeStore(db, clock, outbox), { outbox });
}
