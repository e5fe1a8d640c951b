import { describe, expect, test } from '@jest/globals';
import { acceptedForecast, intakeEvent } from '../../testing/samples.ts';
import { endsStay, LATE_REPORT_MS, takesLateReports } from './end-of-stay.ts';
import type { EventDetail } from './event.ts';

describe('the stay of a parcel', () => {
  const ends = (detail: EventDetail, forecastType: number): boolean =>
    endsStay(intakeEvent({ detail }), acceptedForecast({ forecastType }));
  const dispatch: EventDetail = { type: 'dispatch', carrierCode: 'dhl', trackingNumber: 'JD1' };

  test('ends with its dispatch', () => expect([ends(dispatch, 1), ends(dispatch, 2)]).toEqual([true, true]));

  test('ends on the shelf if it is a replenishment', () => {
    expect([ends({ type: 'put_away' }, 1), ends({ type: 'put_away' }, 2)]).toEqual([true, false]);
  });

  test('goes on with everything else', () => {
    for (const type of ['arrival', 'processing'] as const) expect([ends({ type }, 1), ends({ type }, 2)]).toEqual([false, false]);
  });
});

test('late reports are taken for seven days after it', () => {
  expect([takesLateReports(1000, 1000), takesLateReports(1000, 1000 + LATE_REPORT_MS)]).toEqual([true, true]);
  expect(takesLateReports(1000, 1001 + LATE_REPORT_MS)).toBe(false);
});
