import { describe, expect, test } from '@jest/globals';
import { type IntakeResult, MAX_INTAKE_WARNINGS } from '@parcelway/contracts/warehouse-api';
import { ManualClock } from '@parcelway/kernel/clock';
import { silentLogger } from '@parcelway/kernel/logger';
import { SqliteDatabase } from '@parcelway/sqlite/database';
import { sealer, setUp } from '../testing/report-set-up.ts';
import { accept, acceptedForecast, FILE_SECRET, NOW, report, weighing } from '../testing/samples.ts';
import { openSqliteIntake } from '../testing/sqlite-intake.ts';
import { SqliteReports } from './adapters/sqlite-reports.ts';
import { defaultMeasureLimits } from './domain/implausible-measures.ts';
import { reportEvents } from './report-events.ts';

describe('reportEvents', () => {
  const rulesOf = ({ warnings }: IntakeResult) => warnings.map(({ index, field, rule }) => [index, field, rule]);

  test('warns of unknown fields and what they were meant for, and of measures that no parcel has', async () => {
    const { options, store } = setUp();
    await accept(store, acceptedForecast());
    const raw = weighing({ weight_kg: 2415, photo_id: 'x', weight_lb: 3, note: 'fragile' });
    const result = await reportEvents(options, 'WH1', [report(), raw]);
    expect(rulesOf(result)).toEqual([
      [1, 'weight_kg', 'implausible'],
      [1, 'weight_kg', 'implausible'],
      [1, 'photo_id', 'unknown_field'],
      [1, 'weight_lb', 'unknown_field'],
      [1, 'note', 'unknown_field'],
    ]);
    expect(result.warnings.map(({ message }) => message)).toEqual([
      'weight_kg 2415 is more than 150 kg; check the number and its unit',
      expect.stringContaining('g per litre, outside 2 to 12000'),
      'photo_id is not a field of a weighing event and was ignored; did you mean photo_ids?',
      'weight_lb is not a field of a weighing event and was ignored; did you mean weight_kg?',
      'note is not a field of a weighing event and was ignored',
    ]);
    expect(result).toMatchObject({ accepted: 2, waiting: 0, rejected: [] });
  });

  test('warns of unknown fields of rejected events, with and without others in the call', async () => {
    const { options } = setUp();
    const bad = weighing({ weight_kg: undefined, weight_lb: 3 });
    for (const others of [[], [report()]]) {
      const { rejected, warnings } = await reportEvents(options, 'WH1', [bad, ...others]);
      expect(rejected).toMatchObject([{ index: 0, errors: [{ field: 'weight_kg', rule: 'required' }] }]);
      expect(warnings.filter(({ rule }) => rule === 'unknown_field')).toEqual([
        {
          index: 0,
          event_id: bad.event_id,
          field: 'weight_lb',
          rule: 'unknown_field',
          message: 'weight_lb is not a field of a weighing event and was ignored; did you mean weight_kg?',
        },
      ]);
    }
  });

  test('says what waits, for what, and which forecasts an ambiguous number may be for', async () => {
    const { options, store } = setUp();
    await accept(store, acceptedForecast());
    await accept(store, acceptedForecast({ forecastNo: 'FC2', tenantId: 'tnt_b' }));
    await accept(store, acceptedForecast({ forecastNo: 'FC3', warehouseCode: 'WH2', trackingNumbers: [] }));
    const { express_no: _none, ...typo } = report({ forecast_no: 'FC9' });
    const foreign = { ...typo, event_id: 'e-foreign', forecast_no: 'FC3' };
    const result = await reportEvents(options, 'WH1', [typo, report({ express_no: 'OTHER1' }), report(), foreign]);
    expect(result).toMatchObject({ accepted: 4, waiting: 4 });
    expect(rulesOf(result)).toEqual([
      [0, 'forecast_no', 'no_forecast'],
      [1, 'express_no', 'no_forecast'],
      [2, 'express_no', 'ambiguous'],
      [3, 'forecast_no', 'no_forecast'],
    ]);
    expect(result.warnings.map(({ message }) => message)).toEqual([
      'No forecast "FC9" for this warehouse is known; the event waits for it',
      'No forecast for this warehouse declares "OTHER1"; the event waits for one',
      expect.stringContaining('Several forecasts declare "SF 1234-5678": FC1, FC2; the event waits'),
      'No forecast "FC3" for this warehouse is known; the event waits for it',
    ]);
  });

  test('looks at no more unknown fields than the response can name: a call may have a hundred thousand', async () => {
    const { options } = setUp();
    const unknown = Object.fromEntries(Array.from({ length: 200 }, (_, each) => [`weigth_${each}`, 1]));
    const unread = new Proxy(report(), {
      ownKeys() {
        throw new Error('its fields were read');
      },
    });
    const result = await reportEvents(options, 'WH1', [report(unknown), unread]);
    expect(result.accepted).toBe(2);
    expect(result.warnings).toHaveLength(MAX_INTAKE_WARNINGS);
  });
});

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
