import { describe, expect, test } from '@jest/globals';
import { DEAD_LETTER_RETENTION_DAYS } from '@parcelway/contracts/topics';
import { readWebhookConfig } from './config.ts';

const DAY_MS = 24 * 3_600_000;

describe('configuration', () => {
  test('has the published schedule, no further network and 30 days when nothing is set', () => {
    const config = readWebhookConfig({});
    expect(config.schedule).toHaveLength(10);
    expect(config).toMatchObject({ allowedNetworks: [], retentionMs: 30 * DAY_MS, eventRetentionMs: 45 * DAY_MS });
  });

  test('keeps events for longer than a dead letter that may bring one again, however short deliveries are kept', () => {
    const given = (count: number) => readWebhookConfig({ WEBHOOK_RETENTION_DAYS: String(count) });
    expect(given(1).retentionMs).toBe(DAY_MS);
    expect(given(1).eventRetentionMs).toBeGreaterThan(DEAD_LETTER_RETENTION_DAYS * DAY_MS);
    expect(given(100)).toMatchObject({ retentionMs: 100 * DAY_MS, eventRetentionMs: 100 * DAY_MS });
    expect(() => given(0)).toThrow(/WEBHOOK_RETENTION_DAYS .*1 to 3650/);
  });

  test('names every variable that is wrong', () => {
    const env = { WEBHOOK_ALLOWED_NETWORKS: '10.0.0.0/8,here', WEBHOOK_RETRY_SCHEDULE: 'soon', WEBHOOK_RETENTION_DAYS: '0' };
    let message = '';
    try {
      readWebhookConfig(env);
    } catch (error) {
      message = (error as Error).message;
    }
    for (const part of [/WEBHOOK_ALLOWED_NETWORKS .*"here"/, /WEBHOOK_RETRY_SCHEDULE .*"soon"/, /WEBHOOK_RETENTION_DAYS /]) {
      expect(message).toMatch(part);
    }
  });
});
