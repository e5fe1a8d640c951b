import type { Environment } from '@parcelway/contracts/environment';
import { parseDuration } from '@parcelway/kernel/duration';
import { ConfigError, choice, type Environ, loadConfig, type Reader } from '@parcelway/platform/config';
import { DAY_MS, type Retention } from '../domain/retention.ts';

export interface RetentionConfig {
  /** Of tenants that have chosen nothing. */
  readonly installation: Retention;
  /** True when forecasts are archived before they are deleted. */
  readonly hasArchive: boolean;
  /** Days that objects of the archive are kept; undefined for ever. */
  readonly archiveDays: number | undefined;
}

const MAX_DAYS = 3650;
/** Shorter times are for trying it out. */
const MIN_PRODUCTION_DAYS = 7;

/** A duration, or undefined for `off`. */
const kept =
  (minMs: number): Reader<number | undefined> =>
  (value) => {
    if (value === undefined || value === 'off') return undefined;
    const ms = parseDuration(value);
    if (ms === undefined || ms < minMs || ms > MAX_DAYS * DAY_MS) {
      throw new Error(`must be off, or a duration such as 400d, from ${minMs < DAY_MS ? '1s' : `${minMs / DAY_MS}d`} to ${MAX_DAYS}d`);
    }
    return ms;
  };

const daysOrOff: Reader<number | undefined> = (value) => {
  if (value === undefined || value === 'off') return undefined;
  const days = /^\d{1,4}$/.test(value) ? Number(value) : 0;
  if (days < 1 || days > MAX_DAYS) throw new Error(`must be off, or an integer from 1 to ${MAX_DAYS}`);
  return days;
};

/** Reads the settings. @throws ConfigError naming every wrong variable */
export function readRetentionConfig(env: Environ, environment: Environment): RetentionConfig {
  const keptMs = kept(environment === 'production' ? MIN_PRODUCTION_DAYS * DAY_MS : 1000);
  const { FORECASTS_KEPT, FILES_KEPT, ARCHIVE, ARCHIVE_RETENTION_DAYS } = loadConfig(env, {
    FORECASTS_KEPT: keptMs,
    FILES_KEPT: keptMs,
    ARCHIVE: choice(['on', 'off'], 'on'),
    ARCHIVE_RETENTION_DAYS: daysOrOff,
  });
  if (FORECASTS_KEPT !== undefined && FILES_KEPT !== undefined && FILES_KEPT > FORECASTS_KEPT) {
    throw new ConfigError(['FILES_KEPT must not exceed FORECASTS_KEPT: files go with their forecast at the latest']);
  }
  return {
    installation: { forecastMs: FORECASTS_KEPT, fileMs: FILES_KEPT },
    hasArchive: ARCHIVE === 'on',
    archiveDays: ARCHIVE_RETENTION_DAYS,
  };
}
