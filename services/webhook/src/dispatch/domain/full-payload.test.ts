import { describe, expect, test } from '@jest/globals';
import { sentEventTypes } from '@parcelway/contracts/webhook-event-types';
import { forecastNoIn, fullPartOf, MAX_FULL_BODY_BYTES, withFull, withoutFull } from './full-payload.ts';

const THIN = '{"type":"parcel.weighed","timestamp":"t","data":{"event_id":"evt_1","forecast_no":"FC1"}}';

describe('a full payload', () => {
  test('adds the response of the query that belongs to the event', () => {
    const parts = Object.fromEntries(sentEventTypes.map((type) => [type, fullPartOf(type)]));
    expect(parts).toMatchObject({ 'parcel.weighed': 'weighing', 'tracking.changed': 'tracking', 'parcel.exception': 'forecast' });
    expect(Object.values(parts).filter((part) => part === 'forecast')).toHaveLength(9);
    expect([parts['endpoint.test'], parts['endpoint.disabled']]).toEqual([undefined, undefined]);
    expect(forecastNoIn(THIN)).toBe('FC1');
  });

  test('is the thin body with one field more', () => {
    const full = '{"type":"parcel.weighed","timestamp":"t","data":{"event_id":"evt_1","forecast_no":"FC1","weighing":{"a":"ü"}}}';
    expect(withFull(THIN, 'weighing', { a: 'ü' })).toEqual({ body: full, omitted: null });
  });

  test('is sent thin when it is too large, counted in bytes', () => {
    const room = MAX_FULL_BODY_BYTES - Buffer.byteLength(withFull(THIN, 'weighing', '').body);
    expect(withFull(THIN, 'weighing', 'x'.repeat(room)).omitted).toBeNull();
    const thin = withoutFull(THIN, 'too_large');
    expect(withFull(THIN, 'weighing', 'x'.repeat(room + 1))).toEqual({ body: thin, omitted: 'too_large' });
    expect(withFull(THIN, 'weighing', 'ü'.repeat(room - 1))).toEqual({ body: thin, omitted: 'too_large' });
    expect(JSON.parse(thin)).toMatchObject({ data: { event_id: 'evt_1', full_omitted: 'too_large' } });
  });
});
