import { type Environ, integer, loadConfig } from '@parcelway/platform/config';
import { DEFAULT_SCHEDULE, type PollSchedule, parseSchedule } from '../domain/schedule.ts';
import { type CarrierEndpoints, readCarrierEndpoints } from '../sources/generic/carrier-endpoints.ts';

/** What the service reads of the environment. */
export interface TrackingConfig {
  /** The carriers that can be asked. */
  readonly CARRIERS: CarrierEndpoints;
  /** Deadline of one call of a carrier. */
  readonly CARRIER_TIMEOUT_MS: number;
  readonly TRACKING_POLL_SCHEDULE: PollSchedule;
  /** Days that a shipment is kept after its last change. */
  readonly TRACKING_RETENTION_DAYS: number;
}

/**
 * Reads the configuration.
 * @throws ConfigError naming every variable that is wrong
 */
export function readTrackingConfig(env: Environ): TrackingConfig {
  return loadConfig<TrackingConfig>(env, {
    CARRIERS: readCarrierEndpoints,
    // Under the lease of a poll, and short enough for a caller to wait for.
    CARRIER_TIMEOUT_MS: integer(5000, 100, 30_000),
    TRACKING_POLL_SCHEDULE: (value) => parseSchedule(value ?? DEFAULT_SCHEDULE),
    TRACKING_RETENTION_DAYS: integer(400, 1, 3650),
  });
}
