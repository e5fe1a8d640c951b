import { describe, expect, test } from '@jest/globals';
import { type ForecastStatus, forecastStatuses } from '@parcelway/contracts/forecast-status';
import { statusAfterCancel } from './cancellation.ts';

const { ACCEPTED, ARRIVED, COMPLETED, CANCELLED } = forecastStatuses;

describe('the tenant cancels', () => {
  test('an accepted forecast', () => expect(statusAfterCancel(ACCEPTED)).toBe(CANCELLED));

  test.each<[ForecastStatus, string]>([
    [ARRIVED, 'ARRIVED'],
    [COMPLETED, 'COMPLETED'],
  ])('none of status %i, and the refusal names it', (status, name) => {
    const cancel = (): unknown => statusAfterCancel(status);
    expect(cancel).toThrow(`The forecast is ${name} and can no longer be cancelled`);
    expect(cancel).toThrow(expect.objectContaining({ code: '40902', data: { status, status_name: name } }));
  });
});
