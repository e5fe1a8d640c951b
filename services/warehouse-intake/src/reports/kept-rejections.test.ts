import { describe, expect, test } from '@jest/globals';
import { AppError } from '@parcelway/kernel/app-error';
import { accept } from '../testing/follow-one.ts';
import { setUp } from '../testing/report-set-up.ts';
import { acceptedForecast, report, weighing } from '../testing/samples.ts';
import { reportEvents } from './report-events.ts';

describe('what is kept of rejected reports', () => {
  const bad = (given: Readonly<Record<string, unknown>> = {}) => weighing({ weight_kg: -1, ...given });

  test('is what could be read of them, of whose warehouse, with the faults; good events cause no write', async () => {
    const { options, kept } = setUp();
    const [good, first, strange, early] = [
      report(),
      bad(),
      bad({ type: 'explosion', occurred_at: 'soon' }),
      report({ event_id: 'WH1/a@b:c+d' }),
    ];
    await reportEvents(options, 'WH1', [good]);
    expect(kept).toEqual([]);
    const foreign = { ...early, warehouse_code: 'WH2' };
    await reportEvents(options, 'WH1', [good, first, strange, foreign]);
    expect(kept).toEqual([
      {
        warehouseCode: 'WH1',
        eventId: first['event_id'],
        type: 'weighing',
        occurredAt: first['occurred_at'],
        code: '42201',
        errors: [expect.objectContaining({ field: 'weight_kg' })],
      },
      expect.objectContaining({ eventId: strange['event_id'], type: null, occurredAt: null, code: '42201' }),
      expect.objectContaining({ warehouseCode: 'WH1', eventId: 'WH1/a@b:c+d', type: 'arrival', code: '40301' }),
    ]);
  });

  test('is nothing of those without a readable id, and over a trusted channel of those without a warehouse', async () => {
    const { options, kept } = setUp();
    const unreadable = [
      bad({ event_id: 7 }),
      bad({ event_id: 'x'.repeat(129) }),
      bad({ event_id: 'a\u202eb' }),
      bad({ event_id: '' }),
      null,
    ];
    await reportEvents(options, 'WH1', unreadable);
    await reportEvents(options, null, [bad({ warehouse_code: 'x'.repeat(33) }), bad({ warehouse_code: 7 })]);
    expect(kept).toEqual([]);
    await reportEvents(options, null, [bad({ warehouse_code: 'WH7' })]);
    expect(kept.map(({ warehouseCode }) => warehouseCode)).toEqual(['WH7']);
  });

  test('has at most 20 faults of each, and a type 1 forecast’s dispatch among them', async () => {
    const { options, kept, store } = setUp();
    await accept(store, acceptedForecast({ forecastType: 1 }));
    const photo_ids = Array.from({ length: 50 }, (_, index) => `ph_${index}`);
    await reportEvents(options, 'WH1', [
      weighing({ photo_ids }),
      report({ type: 'dispatch', forecast_no: 'FC1', carrier_code: 'dhl', tracking_number: 'JD014600003' }),
    ]);
    expect(kept.map(({ code, errors }) => [code, errors.length])).toEqual([
      ['40403', 20],
      ['40902', 1],
    ]);
  });

  test('that cannot be kept fails no call', async () => {
    const { options, warnings } = setUp();
    const rejections = { remember: () => Promise.reject(AppError.unavailable('The disk is full')) };
    const result = await reportEvents({ ...options, rejections }, 'WH1', [report(), bad()]);
    expect([result.accepted, result.rejected.length]).toEqual([1, 1]);
    expect(warnings).toMatchObject([{ reports: 1 }]);
  });
});
