import { describe, expect, test } from '@jest/globals';
import { readTrackingConfig } from './tracking-config.ts';

describe('the configuration', () => {
  test('needs nothing to be set', () => {
    const config = readTrackingConfig({});
    expect(config).toMatchObject({ CARRIER_TIMEOUT_MS: 5000, TRACKING_RETENTION_DAYS: 400 });
    expect(config.TRACKING_POLL_SCHEDULE).toHaveLength(5);
    expect(config.CARRIERS.size).toBe(0);
  });

  test('is refused with the name of every variable that cannot be meant', () => {
    const env = { CARRIERS: 'dhl', CARRIER_TIMEOUT_MS: '60000', TRACKING_POLL_SCHEDULE: 'often', TRACKING_RETENTION_DAYS: '0' };
    for (const name of Object.keys(env)) expect(() => readTrackingConfig(env)).toThrow(`${name} must`);
  });
});
