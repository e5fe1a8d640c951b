import { describe, expect, test } from '@jest/globals';
import { type IntakeResult, MAX_INTAKE_WARNINGS } from '@parcelway/contracts/warehouse-api';
import { accept } from '../testing/follow-one.ts';
import { setUp } from '../testing/report-set-up.ts';
import { acceptedForecast, report, weighing } from '../testing/samples.ts';
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

  test('keeps the gravest warnings when there are too many, and counts what waits all the same', async () => {
    const { options, store } = setUp();
    await accept(store, acceptedForecast());
    await accept(store, acceptedForecast({ forecastNo: 'FC2', tenantId: 'tnt_b' }));
    const typos = Array.from({ length: 200 }, () => report({ express_no: 'OTHER1', operater: 'x' }));
    const result = await reportEvents(options, 'WH1', [...typos, report()]);
    expect(result.waiting).toBe(201);
    expect(result.warnings).toHaveLength(MAX_INTAKE_WARNINGS);
    expect(result.warnings.at(-1)).toMatchObject({ index: 200, rule: 'ambiguous' });
    expect(result.warnings.every(({ rule }) => rule !== 'no_forecast')).toBe(true);
  });
});
