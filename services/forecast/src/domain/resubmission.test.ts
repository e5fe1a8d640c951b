import { describe, expect, test } from '@jest/globals';
import { forecastStatuses } from '@parcelway/contracts/forecast-status';
import { contentOf, record } from '../testing/samples.ts';
import { assertSameContent, repeatedForecast } from './resubmission.ts';

describe('a submission of a po_number that a forecast holds', () => {
  const holder = record('FC1');

  test('repeats it when the content is the same', () => {
    expect(repeatedForecast(holder, holder.contentHash)).toBe(holder);
    expect(repeatedForecast(holder, 'other')).toBeUndefined();
    expect(repeatedForecast(undefined, holder.contentHash)).toBeUndefined();
  });

  test('does not repeat a cancelled one', () => {
    expect(repeatedForecast({ ...holder, status: forecastStatuses.CANCELLED }, holder.contentHash)).toBeUndefined();
  });

  test('passes when a correction has made the content the same', () => {
    expect(() => assertSameContent(holder, contentOf('FC1'), contentOf('FC1'))).not.toThrow();
  });

  test('is refused with the fields that differ', () => {
    const other = { ...contentOf('FC1'), warehouse_code: 'WH9' };
    const refusal = { code: '40901', data: { forecast_no: 'FC1', fields: ['warehouse_code'] } };
    expect(() => assertSameContent(holder, contentOf('FC1'), other)).toThrow(expect.objectContaining(refusal));
    expect(() => assertSameContent(holder, undefined, other)).toThrow(expect.objectContaining({ code: '40901' }));
  });
});
