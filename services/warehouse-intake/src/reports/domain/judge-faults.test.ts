import { describe, expect, test } from '@jest/globals';
import { context, refusalOf } from '../../testing/judging.ts';
import { NOW, report, weighing } from '../../testing/samples.ts';
import { judge, MAX_AHEAD_MS } from './judge.ts';

describe('judge', () => {
  test.each([
    ['without event_id', report({ event_id: undefined }), 'event_id is required'],
    ['with a blank in event_id', report({ event_id: 'a b' }), 'event_id must have only letters, digits and'],
    [
      'with dots alone for an event_id',
      report({ event_id: '..' }),
      'event_id must have only letters, digits and . _ : @ / + -, and not dots alone',
    ],
    ['with too long an event_id', report({ event_id: 'a'.repeat(129) }), 'event_id must have at most 128 characters'],
    ['without either number', report({ express_no: undefined }), 'forecast_no or express_no is required'],
    ['with null for a number', report({ express_no: null }), 'express_no must be a string'],
    ['with too short a number', report({ express_no: 'A- 1' }), 'express_no must have 4 to 64 characters'],
    ['with a control character in forecast_no', report({ forecast_no: 'FC\u0000' }), 'forecast_no must not contain control characters'],
    ['with a time without offset', report({ occurred_at: '2026-11-21T08:00:00' }), 'occurred_at must be an ISO 8601 time with offset'],
    ['with a leap second', report({ occurred_at: '2016-12-31T23:59:60Z' }), 'occurred_at must be an ISO 8601 time with offset'],
    ['with a weight of 0', weighing({ weight_kg: 0 }), 'weight_kg must be greater than 0'],
    ['with a length as text', weighing({ length_cm: '30' }), 'length_cm must be a number'],
    ['without a measurement', weighing({ height_cm: undefined }), 'height_cm is required'],
    ['with 51 photos', weighing({ photo_ids: Array.from({ length: 51 }, () => 'x') }), 'photo_ids must have at most 50 elements'],
    ['with an unknown image type', report({ type: 'photo', photo_id: 'x', image_type: 'selfie' }), 'image_type must be one of product'],
    ['of an unknown exception', report({ type: 'exception', reason: 'wet' }), 'reason must be one of damaged'],
    ['of an exception without reason', report({ type: 'exception' }), 'reason is required'],
    ['with 1001 characters of text', report({ type: 'exception', reason: 'other', text: 'x'.repeat(1001) }), 'text must have at most 1000'],
    ['with 501 characters of reason', report({ type: 'hold', reason: 'x'.repeat(501) }), 'reason must have at most 500'],
    ['with a count of no SKU', report({ received_items: [{ quantity: 1 }] }), 'received_items[0].sku_code is required'],
    [
      'with a count below 0',
      report({ type: 'put_away', received_items: [{ sku_code: 'A', quantity: -1 }] }),
      'received_items[0].quantity must be at least 0',
    ],
    [
      'with a count of 2001 SKUs',
      report({ type: 'processing', received_items: Array.from({ length: 2001 }, (_, index) => ({ sku_code: `${index}`, quantity: 1 })) }),
      'received_items must have at most 2000 elements',
    ],
    ['without a carrier', report({ type: 'dispatch', tracking_number: 'JD014600003' }), 'carrier_code is required'],
  ])('refuses a report %s', (_name, raw, message) => {
    // As parsed from JSON: without the fields that are undefined.
    const refusal = refusalOf(JSON.parse(JSON.stringify(raw)));
    expect(refusal.code).toBe('42201');
    expect(refusal.message).toContain(message);
  });

  test('names several errors at once, and how many more there are', () => {
    const { message } = refusalOf({ type: 'dispatch' });
    expect(message).toContain('event_id is required');
    expect(message).toContain('occurred_at is required');
    expect(message).toMatch(/; and \d+ more$/);
  });

  test('allows for clocks that are wrong, up to a day', () => {
    const at = (ms: number): unknown => report({ occurred_at: new Date(NOW + ms).toISOString() });
    expect(judge(at(MAX_AHEAD_MS), context)).toHaveProperty('event');
    expect(refusalOf(at(MAX_AHEAD_MS + 1))).toMatchObject({
      code: '42201',
      message: 'occurred_at must not be more than 24 hours in the future',
    });
  });
});
