import { decodePhotoId } from '@parcelway/contracts/file-receipt';
import { sealShipmentDetails } from '@parcelway/contracts/shipment-details';
import { ManualClock } from '@parcelway/kernel/clock';
import { type LogFields, type Logger, silentLogger } from '@parcelway/kernel/logger';
import { createTextSealer } from '@parcelway/kernel/sealed-text';
import type { SqliteDatabase } from '@parcelway/sqlite/database';
import type { Rejection } from '../reports/domain/event-outcome.ts';
import { defaultMeasureLimits } from '../reports/domain/intake-warnings.ts';
import { type JudgeOptions, judge, type Refusal } from '../reports/domain/judge.ts';
import type { Intake } from '../reports/intake-store.ts';
import type { ReportOptions } from '../reports/report-events.ts';
import { openStores } from './open-stores.ts';
import { FILE_SECRET, NOW } from './samples.ts';

/** What `reportEvents` needs, over stores in memory, with what it keeps, logs and notifies. */
export function setUp(): {
  kept: Rejection[];
  options: ReportOptions;
  store: Intake;
  db: SqliteDatabase;
  warnings: LogFields[];
  notified: () => number;
} {
  const clock = new ManualClock(NOW);
  const { db, intake: store, reports } = openStores(clock);
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
      reports,
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

/** Seals with the secret of the tests. */
export const sealer = createTextSealer([FILE_SECRET]);

/** What a report is judged against. */
export const context: JudgeOptions = {
  warehouseCode: 'WH1',
  environment: 'sandbox',
  now: NOW,
  readReceipt: (id) => decodePhotoId(FILE_SECRET, id),
  sealDetails: (owner, report) => sealShipmentDetails(sealer, owner, report),
};

/** The error that a report is refused with. */
export function refusalOf(raw: unknown, given: Partial<JudgeOptions> = {}): Refusal {
  const judgement = judge(raw, { ...context, ...given });
  if (!('refusal' in judgement)) throw new Error('the report was taken');
  return judgement.refusal;
}
