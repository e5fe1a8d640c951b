import { describe, expect, test } from '@jest/globals';
import { AppError } from '@parcelway/kernel/app-error';
import { ManualClock } from '@parcelway/kernel/clock';
import { setUp } from '../testing/report-set-up.ts';
import { NOW, report, weighing } from '../testing/samples.ts';
import { REJECTIONS_KEPT_MS } from './domain/event-outcome.ts';
import { expireRejections } from './expire-rejections.ts';
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

  test('that cannot be kept fails no call', async () => {
    const { options, warnings } = setUp();
    const rejections = { remember: () => Promise.reject(AppError.unavailable('The disk is full')) };
    const result = await reportEvents({ ...options, rejections }, 'WH1', [report(), bad()]);
    expect([result.accepted, result.rejected.length]).toEqual([1, 1]);
    expect(warnings).toMatchObject([{ reports: 1 }]);
  });
});

/** So many rejected reports that are too old. */
function oldRejections(count: number) {
  const befores: number[] = [];
  let left = count;
  const rejections = {
    async forget(before: number, limit: number) {
      befores.push(before);
      const forgotten = Math.min(limit, left);
      left -= forgotten;
      return forgotten;
    },
  };
  return { options: { rejections, clock: new ManualClock(NOW) }, befores };
}

test('rejected reports are deleted after 7 days, batch by batch', async () => {
  const { options, befores } = oldRejections(501);
  expect(await expireRejections(options)).toBe(501);
  expect(befores).toEqual([NOW - REJECTIONS_KEPT_MS, NOW - REJECTIONS_KEPT_MS]);
});

test('and the service may stop in between', async () => {
  expect(await expireRejections({ ...oldRejections(2000).options, stopping: () => true })).toBe(500);
});
