import { describe, expect, test } from '@jest/globals';
import { readWebhookConfig } from './config.ts';

describe('configuration', () => {
  test('has the published schedule, no further network and 30 days when nothing is set', () => {
    const config = readWebhookConfig({});
    expect(config.schedule).toHaveLength(10);
    expect(config).toMatchObject({ allowedNetworks: [], retentionMs: 30 * 24 * 3_600_000 });
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
