import { ConfigError, choice, type Environ, integer, loadConfig, type Reader } from '@parcelway/platform/config';
import type { Connection } from '../../accounts/domain/connection.ts';
import { readTrackingSources } from '../../accounts/domain/read-tracking-sources.ts';
import { trackingSources } from '../../sources/source-list.ts';
import { DEFAULT_SCHEDULE, type PollSchedule, parseSchedule } from '../domain/schedule.ts';

/** What the service reads of the environment. */
export interface TrackingConfig {
  readonly TRACKING_SOURCES: readonly Connection[];
  /** Seal the credentials of stored connections; see sealed-text. Undefined: the secret of the installation does. */
  readonly CREDENTIALS_SECRET: string | undefined;
  readonly CREDENTIALS_SECRET_PREVIOUS: string | undefined;
  /** Deadline of one call of a source. */
  readonly CARRIER_TIMEOUT_MS: number;
  readonly TRACKING_POLL_SCHEDULE: PollSchedule;
  readonly TRACKING_RETENTION_DAYS: number;
  /** `off`: shipments are deleted without a copy. */
  readonly ARCHIVE: 'on' | 'off';
}

/** A secret is random and long, or nobody needs to guess it. */
const longSecret: Reader<string | undefined> = (value) => {
  if (value !== undefined && value.length < 32) throw new Error('must have at least 32 random characters');
  return value;
};

/**
 * Reads the configuration.
 * @throws ConfigError naming every variable that is wrong
 */
export function readTrackingConfig(env: Environ): TrackingConfig {
  const config = loadConfig<TrackingConfig>(env, {
    TRACKING_SOURCES: (value) => readTrackingSources(value, trackingSources),
    CREDENTIALS_SECRET: longSecret,
    CREDENTIALS_SECRET_PREVIOUS: longSecret,
    // Under the lease of a poll, and short enough for a caller to wait for.
    CARRIER_TIMEOUT_MS: integer(5000, 100, 30_000),
    TRACKING_POLL_SCHEDULE: (value) => parseSchedule(value ?? DEFAULT_SCHEDULE),
    TRACKING_RETENTION_DAYS: integer(400, 1, 3650),
    ARCHIVE: choice(['on', 'off'], 'on'),
  });
  if (config.CREDENTIALS_SECRET !== undefined && config.CREDENTIALS_SECRET === config.CREDENTIALS_SECRET_PREVIOUS)
    throw new ConfigError(['CREDENTIALS_SECRET_PREVIOUS must be the former secret, not CREDENTIALS_SECRET itself']);
  return config;
}

/**
 * The secrets that open the credentials of connections, the one that seals first. Those of the installation are the last: they sealed what was stored
 * before CREDENTIALS_SECRET was set.
 */
export function credentialSecrets(
  { CREDENTIALS_SECRET, CREDENTIALS_SECRET_PREVIOUS }: Pick<TrackingConfig, 'CREDENTIALS_SECRET' | 'CREDENTIALS_SECRET_PREVIOUS'>,
  installationSecrets: readonly string[],
): readonly string[] {
  const secrets = [CREDENTIALS_SECRET ?? installationSecrets[0], CREDENTIALS_SECRET_PREVIOUS, ...installationSecrets];
  return [...new Set(secrets.filter((one) => one !== undefined))];
}
