import { describe, expect, test } from '@jest/globals';
import { MAX_INTAKE_ERRORS } from '@parcelway/contracts/warehouse-api';
import { accept } from '../testing/follow-one.ts';
import { setUp } from '../testing/report-set-up.ts';
import { acceptedForecast, report, weighing } from '../testing/samples.ts';
import { reportEvents } from './report-events.ts';

describe('reportEvents', () => {
  test('lists every fault of an event, with the field, as many as a response holds', async () => {
    const { options } = setUp();
    const bad = { type: 'weighing', event_id: 'e-1', weight_kg: -1, photo_ids: Array.from({ length: 50 }, () => '') };
    const { rejected } = await reportEvents(options, 'WH1', [bad]);
    expect(rejected[0]?.errors.length).toBeGreaterThan(50);
    expect(rejected[0]?.errors).toContainEqual({ field: 'weight_kg', rule: 'minimum', message: 'weight_kg must be greater than 0' });
    const many = (
      await reportEvents(
        options,
        'WH1',
        Array.from({ length: 500 }, () => bad),
      )
    ).rejected;
    expect(many.every(({ errors }) => errors.length >= 1 && errors.length <= 100)).toBe(true);
    expect(many.flatMap(({ errors }) => errors).length).toBeLessThanOrEqual(MAX_INTAKE_ERRORS + 500);
  });

  test('names all photos that are not there, and the time, at once', async () => {
    const { options } = setUp();
    const raw = weighing({ occurred_at: '2099-01-01T00:00:00Z', photo_ids: ['a', 'b'] });
    expect((await reportEvents(options, 'WH1', [raw])).rejected).toMatchObject([
      { code: '42201', errors: [{ field: 'occurred_at' }, { field: 'photo_ids[0]', rule: 'unknown_photo' }, { field: 'photo_ids[1]' }] },
    ]);
  });

  test('rejects the dispatch of a type 1 forecast, between the others', async () => {
    const { options, store } = setUp();
    await accept(store, acceptedForecast({ forecastType: 1 }));
    const dispatch = report({ type: 'dispatch', carrier_code: 'dhl', tracking_number: 'JD014600003' });
    const result = await reportEvents(options, 'WH1', [report(), dispatch, null]);
    expect(result).toMatchObject({ accepted: 1, duplicates: 0, waiting: 0, warnings: [] });
    expect(result.rejected).toMatchObject([{ index: 1 }, { index: 2 }]);
    expect(result.rejected[0]).toEqual({
      index: 1,
      event_id: dispatch.event_id,
      code: '40902',
      message: 'A type 1 forecast takes no dispatch',
      errors: [{ field: 'type', rule: 'takes_no_dispatch', message: 'A type 1 forecast takes no dispatch' }],
    });
  });

  test('rejects what has the event_id of a rejected dispatch too, and stores nothing under it', async () => {
    const { options, store } = setUp();
    await accept(store, acceptedForecast({ forecastType: 1 }));
    const dispatch = report({ type: 'dispatch', carrier_code: 'dhl', tracking_number: 'JD014600003' });
    const sameId = report({ event_id: dispatch.event_id });
    const result = await reportEvents(options, 'WH1', [dispatch, sameId]);
    expect(result).toMatchObject({ accepted: 0, duplicates: 0, warnings: [] });
    expect(result.rejected.map(({ index, code, errors }) => [index, code, errors[0]?.rule])).toEqual([
      [0, '40902', 'takes_no_dispatch'],
      [1, '40902', 'event_id_reused'],
    ]);
    expect(await reportEvents(options, 'WH1', [sameId])).toMatchObject({ accepted: 1, rejected: [] });
  });
});
