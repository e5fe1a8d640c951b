import { describe, expect, test } from '@jest/globals';
import { DEAD_LETTER_RETENTION_DAYS } from '@parcelway/contracts/topics';
import { readWebhookConfig } from './config.ts';

const DAY_MS = 24 * 3_600_000;

describe('configuration', () => {
  test('keeps events for longer than a dead letter that may bring one again, however short deliveries are kept', () => {
    const given = (count: number) => readWebhookConfig({ WEBHOOK_RETENTION_DAYS: String(count) });
    expect(given(1).retentionMs).toBe(DAY_MS);
    expect(given(1).eventRetentionMs).toBeGreaterThan(DEAD_LETTER_RETENTION_DAYS * DAY_MS);
    expect(given(100)).toMatchObject({ retentionMs: 100 * DAY_MS, eventRetentionMs: 100 * DAY_MS });
    expect(() => given(0)).toThrow(/WEBHOOK_RETENTION_DAYS .*1 to 3650/);
  });
});
