import { ManualClock } from '@parcelway/kernel/clock';
import { type LogFields, type Logger, silentLogger } from '@parcelway/kernel/logger';
import { SqliteDatabase } from '@parcelway/sqlite/database';
import type { SqliteIntakeStore } from '../reports/adapters/sqlite-intake-store.ts';
import { SqliteReports } from '../reports/adapters/sqlite-reports.ts';
import type { Rejection } from '../reports/domain/event-outcome.ts';
import { defaultMeasureLimits } from '../reports/domain/implausible-measures.ts';
import type { ReportOptions } from '../reports/report-events.ts';
import { sealer } from './judging.ts';
import { FILE_SECRET, NOW } from './samples.ts';
import { openSqliteIntake } from './sqlite-intake.ts';

/** What `reportEvents` needs, over stores in memory, with what it keeps, logs and notifies. */
export function setUp(): {
  kept: Rejection[];
  options: ReportOptions;
  store: SqliteIntakeStore;
  db: SqliteDatabase;
  warnings: LogFields[];
  notified: () => number;
} {
  const clock = new ManualClock(NOW);
  const db = new SqliteDatabase(':memory:');
  const store = openSqliteIntake(db, clock);
  const warnings: LogFields[] = [];
  const kept: Rejection[] = [];
  const rejections = { remember: async (rejected: readonly Rejection[]) => void kept.push(...rejected) };
  let notified = 0;
  const logger: Logger = { ...silentLogger, warn: (fields) => warnings.push(fields) };
  const notify = (): void => {
    notified += 1;
  };
  return {
    kept,
    options: {
      recorder: store,
      reports: new SqliteReports(db),
      rejections,
      clock,
      logger,
      environment: 'sandbox',
      fileSecrets: [FILE_SECRET],
      sealer,
      notify,
      limits: defaultMeasureLimits,
    },
    store,
    db,
    warnings,
    notified: () => notified,
  };
}
