import { describe, expect, test } from '@jest/globals';
import { intakeEvent } from '../../testing/samples.ts';
import { MAX_CLOCK_DIFFERENCE_MS, type NamingEvent, namedForecastOf } from './named-number.ts';

const naming = (id: string, receivedAt: number, given: Partial<NamingEvent> = {}): NamingEvent => ({
  warehouseCode: 'WH1',
  number: 'N1',
  forecastNo: 'FC1',
  id,
  receivedAt,
  publishedAt: receivedAt,
  ...given,
});
const waits = (id: string, receivedAt: number, given: Parameters<typeof intakeEvent>[0] = {}) => ({
  event: intakeEvent({ forecastNo: null, expressNo: 'n-1', ...given }),
  waiting: 'ambiguous' as const,
  id,
  receivedAt,
});

describe('namedForecastOf', () => {
  test('is the forecast that a later event names for its number', () => {
    expect(namedForecastOf(waits('b', 5), [naming('a', 6)])).toBe('FC1');
    expect(namedForecastOf(waits('b', 5), [naming('c', 5)])).toBe('FC1');
  });

  test('is none for an event behind the naming one in its call', () => {
    expect(namedForecastOf(waits('c', 5), [naming('b', 5)])).toBeUndefined();
  });

  test('is that of an event of the same call that had waited, too', () => {
    expect(namedForecastOf(waits('c', 5), [naming('b', 5, { publishedAt: 9 })])).toBe('FC1');
  });

  test('allows for clocks that differ, and is none for what comes after that', () => {
    expect(namedForecastOf(waits('c', 5 + MAX_CLOCK_DIFFERENCE_MS - 1), [naming('b', 5)])).toBe('FC1');
    expect(namedForecastOf(waits('c', 5 + MAX_CLOCK_DIFFERENCE_MS), [naming('b', 5)])).toBeUndefined();
  });

  test('is none for another number, another warehouse, an event that names a forecast itself, and one that waits for something else', () => {
    const named = [naming('z', 9)];
    expect(namedForecastOf(waits('b', 5, { expressNo: 'N2' }), named)).toBeUndefined();
    expect(namedForecastOf(waits('b', 5, { warehouseCode: 'WH2' }), named)).toBeUndefined();
    expect(namedForecastOf(waits('b', 5, { forecastNo: 'FC9' }), named)).toBeUndefined();
    expect(namedForecastOf({ ...waits('b', 5), waiting: 'no_forecast' }, named)).toBeUndefined();
    expect(namedForecastOf({ ...waits('b', 5), waiting: undefined }, named)).toBeUndefined();
  });
});
