import { describe, expect, test } from '@jest/globals';
import { DEAD_LETTER_RETENTION_DAYS } from '@parcelway/contracts/topics';
import { readWebhookConfig } from './config.ts';

describe('configuration', () => {
  test('has the published schedule, no further network and 45 days when nothing is set', () => {
    const config = readWebhookConfig({});
    expect(config.schedule).toHaveLength(10);
    expect(config).toMatchObject({ allowedNetworks: [], retentionMs: 45 * 24 * 3_600_000 });
  });

  test('keeps what was told for longer than a dead letter that may tell it again', () => {
    const days = (count: number) => readWebhookConfig({ WEBHOOK_RETENTION_DAYS: String(count) }).retentionMs / (24 * 3_600_000);
    expect(() => days(DEAD_LETTER_RETENTION_DAYS)).toThrow(/WEBHOOK_RETENTION_DAYS .*31 to 3650/);
    expect(days(DEAD_LETTER_RETENTION_DAYS + 1)).toBe(31);
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
