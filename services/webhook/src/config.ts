import { DEAD_LETTER_RETENTION_DAYS } from '@parcelway/contracts/topics';
import type { Network } from '@parcelway/kernel/networks';
import { choice, type Environ, integer, list, loadConfig } from '@parcelway/platform/config';
import { DEFAULT_SCHEDULE_TEXT, parseSchedule, type RetrySchedule } from './dispatch/domain/retry-schedule.ts';
import { parseNetworks } from './endpoints/domain/address-policy.ts';

const DAY_MS = 24 * 3_600_000;

export interface WebhookConfig {
  /** Networks that endpoints may have besides the public internet. */
  readonly allowedNetworks: readonly Network[];
  readonly schedule: RetrySchedule;
  /** Deliveries and attempts are kept this long. */
  readonly retentionMs: number;
  /** Events are kept this long: for the feed, and to recognize an event that comes again. */
  readonly eventRetentionMs: number;
  /** True logs every attempt. */
  readonly accessLog: boolean;
}

/**
 * Events outlive their deliveries when those are kept for less time: an event that is redriven from the dead letters must still
 * be known, or it is published again under a new event_seq. There is room for one that became a dead letter a week late, and
 * waited in its topic for another.
 */
const MIN_EVENT_RETENTION_DAYS = DEAD_LETTER_RETENTION_DAYS + 15;

/**
 * Reads WEBHOOK_ALLOWED_NETWORKS (CIDR list), WEBHOOK_RETRY_SCHEDULE (durations), WEBHOOK_RETENTION_DAYS and ACCESS_LOG.
 * @throws ConfigError naming every variable that is wrong
 */
export function readWebhookConfig(env: Environ): WebhookConfig {
  const config = loadConfig(env, {
    WEBHOOK_ALLOWED_NETWORKS: (value) => parseNetworks(list(value)),
    WEBHOOK_RETRY_SCHEDULE: (value) => parseSchedule(value ?? DEFAULT_SCHEDULE_TEXT),
    WEBHOOK_RETENTION_DAYS: integer(30, 1, 3650),
    ACCESS_LOG: choice(['on', 'off'], 'off'),
  });
  return {
    allowedNetworks: config.WEBHOOK_ALLOWED_NETWORKS,
    schedule: config.WEBHOOK_RETRY_SCHEDULE,
    retentionMs: config.WEBHOOK_RETENTION_DAYS * DAY_MS,
    eventRetentionMs: Math.max(config.WEBHOOK_RETENTION_DAYS, MIN_EVENT_RETENTION_DAYS) * DAY_MS,
    accessLog: config.ACCESS_LOG === 'on',
  };
}
