import { describe, expect, test } from '@jest/globals';
import { type ForecastStatus, forecastStatuses } from '@parcelway/contracts/forecast-status';
import { initialProgress } from '../../store/domain/forecast.ts';
import type { KnownForecast } from '../../store/domain/known-forecast.ts';
import { record } from '../../testing/samples.ts';
import { cancel, cancelledAt, decideCancellation, statusAfterCancel } from './cancellation.ts';

const { ACCEPTED, ARRIVED, COMPLETED, CANCELLED } = forecastStatuses;

describe('the tenant cancels', () => {
  test.each<[ForecastStatus, string]>([
    [ARRIVED, 'ARRIVED'],
    [COMPLETED, 'COMPLETED'],
  ])('none of status %i, and the refusal names it', (status, name) => {
    const cancel = (): unknown => statusAfterCancel(status);
    expect(cancel).toThrow(`The forecast is ${name} and can no longer be cancelled`);
    expect(cancel).toThrow(expect.objectContaining({ code: '40902', data: { status, status_name: name } }));
  });
});

const fresh = { status: ACCEPTED, progress: initialProgress(0) };

test('returns when a forecast was cancelled, and nothing of others', () => {
  const cancelled = { ...fresh, ...cancel(fresh, 5000) };
  expect(cancelledAt(cancelled)).toBe(5000);
  expect(cancelledAt(fresh)).toBeNull();
});

describe('decideCancellation', () => {
  const known: KnownForecast = {
    record: { ...record('FC1'), ...fresh },
    version: 1,
    isShown: true,
    applied: new Set(),
  };

  test('writes the status, frees the po_number and notifies', () => {
    const { writes, cancelledAt: at } = decideCancellation(known, 5000, { keyId: 'key_1', traceparent: 'trace' });
    expect(at).toBe(5000);
    expect(writes).toMatchObject([
      {
        known,
        updatedAt: 5000,
        state: { status: CANCELLED, progress: { history: [{ status: 1 }, { status: CANCELLED, reason: 'cancelled', keyId: 'key_1' }] } },
        messages: [{ traceparent: 'trace' }],
      },
    ]);
  });

  test('writes nothing for a forecast that was cancelled before, and says when', () => {
    const cancelled = { ...known, record: { ...known.record, ...cancel(fresh, 5000) } };
    expect(decideCancellation(cancelled, 9000, { keyId: null })).toEqual({ writes: [], cancelledAt: 5000 });
  });

  test('refuses one that does not exist', () => {
    expect(() => decideCancellation(undefined, 1, { keyId: null })).toThrow(expect.objectContaining({ code: '40401' }));
  });
});
