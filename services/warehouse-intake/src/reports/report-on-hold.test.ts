import { describe, expect, test } from '@jest/globals';
import { ManualClock } from '@parcelway/kernel/clock';
import { silentLogger } from '@parcelway/kernel/logger';
import { SqliteDatabase } from '@parcelway/sqlite/database';
import { SqliteReports } from '../outcomes/adapters/sqlite-reports.ts';
import { accept } from '../testing/follow-one.ts';
import { sealer } from '../testing/judging.ts';
import { acceptedForecast, FILE_SECRET, NOW, report } from '../testing/samples.ts';
import { openSqliteIntake } from '../testing/sqlite-intake.ts';
import { defaultMeasureLimits } from './domain/implausible-measures.ts';
import { reportEvents } from './report-events.ts';

/** Takes calls of WH1, where FC1 is expected. */
async function intake() {
  const clock = new ManualClock(NOW);
  const db = new SqliteDatabase(':memory:');
  const store = openSqliteIntake(db, clock);
  await accept(store, acceptedForecast());
  const options = {
    recorder: store,
    reports: new SqliteReports(db),
    rejections: { remember: () => Promise.reject(new Error('nothing is rejected here')) },
    clock,
    logger: silentLogger,
    environment: 'sandbox',
    fileSecrets: [FILE_SECRET],
    sealer,
    notify: () => undefined,
    limits: defaultMeasureLimits,
  } as const;
  return async (...events: readonly object[]) => {
    const { accepted, duplicates, warnings } = await reportEvents(options, 'WH1', events);
    return { counts: [accepted, duplicates], warnings: warnings.map(({ index, rule }) => [index, rule]), full: warnings };
  };
}

const at = (minutes: number, type: string, given: object = {}) =>
  report({ forecast_no: 'FC1', express_no: undefined, type, occurred_at: `2026-11-21T09:0${minutes}:00+08:00`, ...given });
const leaves = (minutes: number, given: object = {}) =>
  at(minutes, 'dispatch', { carrier_code: 'dhl', tracking_number: 'JD014600003', ...given });

describe('a dispatch of a parcel on hold', () => {
  test('is taken with a warning, and again when it is sent again', async () => {
    const take = await intake();
    expect(await take(at(1, 'hold'))).toMatchObject({ counts: [1, 0], warnings: [] });
    const dispatch = leaves(2);
    expect(await take(at(2, 'processing'), dispatch)).toMatchObject({ counts: [2, 0], warnings: [[1, 'on_hold']] });
    expect(await take(dispatch)).toMatchObject({ counts: [0, 1], warnings: [[0, 'on_hold']] });
  });

  test('is warned of when the hold is in the same call, in whichever position', async () => {
    const events = [at(1, 'hold'), leaves(2)];
    expect((await (await intake())(...events)).warnings).toEqual([[1, 'on_hold']]);
    expect((await (await intake())(...events.toReversed())).warnings).toEqual([[0, 'on_hold']]);
  });

  test('is not warned of when it was released before, in the same call or an earlier one', async () => {
    expect((await (await intake())(at(1, 'hold'), at(2, 'release'), leaves(3))).warnings).toEqual([]);
    const take = await intake();
    await take(at(1, 'hold'));
    await take(at(2, 'release'));
    expect((await take(leaves(3))).warnings).toEqual([]);
  });

  test('names the forecast and the time of the hold', async () => {
    const dispatch = leaves(2, { forecast_no: undefined, express_no: 'SF 1234-5678' });
    const { full } = await (await intake())(at(1, 'hold'), dispatch);
    expect(full).toEqual([
      {
        index: 1,
        event_id: dispatch['event_id'],
        field: 'type',
        rule: 'on_hold',
        message:
          'Forecast FC1 is on hold since 2026-11-21T09:01:00+08:00 and was not released before the dispatch; the dispatch was recorded',
      },
    ]);
  });
});
