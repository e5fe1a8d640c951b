import { describe, expect, test } from '@jest/globals';
import { intakeEvent } from '../../testing/samples.ts';
import { namedForecastOf } from './named-number.ts';

const naming = (forecastNo: string, at: number, id: string) => ({ warehouseCode: 'WH1', number: 'N1', forecastNo, place: { at, id } });
const waits = (at: number, id: string, given: Parameters<typeof intakeEvent>[0] = {}) => ({
  event: intakeEvent({ forecastNo: null, expressNo: 'n-1', ...given }),
  waiting: 'ambiguous' as const,
  place: { at, id },
});

describe('namedForecastOf', () => {
  test('is the forecast that an event after it names for its number', () => {
    expect(namedForecastOf(waits(5, 'b'), [naming('FC1', 6, 'a')])).toBe('FC1');
    expect(namedForecastOf(waits(5, 'b'), [naming('FC1', 5, 'c')])).toBe('FC1');
  });

  test('is none for an event that comes after the naming one', () => {
    expect(namedForecastOf(waits(7, 'a'), [naming('FC1', 6, 'b')])).toBeUndefined();
    expect(namedForecastOf(waits(6, 'c'), [naming('FC1', 6, 'b')])).toBeUndefined();
    expect(namedForecastOf(waits(6, 'b'), [naming('FC1', 6, 'b')])).toBeUndefined();
  });

  test('is that of the first naming event after it', () => {
    const events = [naming('FC1', 4, 'a'), naming('FC2', 6, 'a'), naming('FC3', 7, 'a')];
    expect(namedForecastOf(waits(5, 'b'), events)).toBe('FC2');
  });

  test('is none for another number, another warehouse, an event that names a forecast itself, and one that waits for something else', () => {
    const named = [naming('FC1', 9, 'z')];
    expect(namedForecastOf(waits(5, 'b', { expressNo: 'N2' }), named)).toBeUndefined();
    expect(namedForecastOf(waits(5, 'b', { warehouseCode: 'WH2' }), named)).toBeUndefined();
    expect(namedForecastOf(waits(5, 'b', { forecastNo: 'FC9' }), named)).toBeUndefined();
    expect(namedForecastOf({ ...waits(5, 'b'), waiting: 'no_forecast' }, named)).toBeUndefined();
    expect(namedForecastOf({ ...waits(5, 'b'), waiting: undefined }, named)).toBeUndefined();
  });
});
