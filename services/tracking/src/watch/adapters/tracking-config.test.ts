import { describe, expect, test } from '@jest/globals';
import { credentialSecrets, readTrackingConfig } from './tracking-config.ts';

describe('the configuration', () => {
  test('needs nothing to be set', () => {
    const config = readTrackingConfig({});
    expect(config).toMatchObject({ CARRIER_TIMEOUT_MS: 5000, TRACKING_RETENTION_DAYS: 400 });
    expect(config.TRACKING_POLL_SCHEDULE).toHaveLength(5);
  });

  test('is refused with the name of every variable that cannot be meant', () => {
    const env = { TRACKING_SOURCES: 'dhl', CARRIER_TIMEOUT_MS: '60000', TRACKING_POLL_SCHEDULE: 'often', TRACKING_RETENTION_DAYS: '0' };
    for (const name of Object.keys(env)) expect(() => readTrackingConfig(env)).toThrow(`${name} must`);
  });
});

describe('the secrets of credentials', () => {
  const [now, before, installation] = ['n', 'b', 'i'].map((letter) => letter.repeat(32)) as [string, string, string];
  const secretsWith = (env: Record<string, string>) => credentialSecrets(readTrackingConfig(env), [installation]);

  test('are that of the installation, or the one that is set, with those that sealed before', () => {
    expect(secretsWith({})).toEqual([installation]);
    expect(secretsWith({ CREDENTIALS_SECRET: now })).toEqual([now, installation]);
    expect(secretsWith({ CREDENTIALS_SECRET: now, CREDENTIALS_SECRET_PREVIOUS: before })).toEqual([now, before, installation]);
    // Back to the secret of the installation, or after that one was lost.
    expect(secretsWith({ CREDENTIALS_SECRET_PREVIOUS: before })).toEqual([installation, before]);
    expect(secretsWith({ CREDENTIALS_SECRET: installation })).toEqual([installation]);
  });

  test('are long and differ', () => {
    for (const name of ['CREDENTIALS_SECRET', 'CREDENTIALS_SECRET_PREVIOUS'])
      expect(() => readTrackingConfig({ [name]: 'hunter2' })).toThrow(`${name} must have at least 32 random characters`);
    expect(() => readTrackingConfig({ CREDENTIALS_SECRET: now, CREDENTIALS_SECRET_PREVIOUS: now })).toThrow(/must be the former secret/);
  });
});
