import { expect, test } from '@jest/globals';
import { readForecastConfig } from './forecast-config.ts';

test('has the usual divisor, takes another and refuses what is none', () => {
  expect(readForecastConfig({})).toEqual({ VOLUME_DIVISOR: 5000 });
  expect(readForecastConfig({ VOLUME_DIVISOR: '6000' })).toEqual({ VOLUME_DIVISOR: 6000 });
  expect(() => readForecastConfig({ VOLUME_DIVISOR: '5' })).toThrow('VOLUME_DIVISOR');
});
