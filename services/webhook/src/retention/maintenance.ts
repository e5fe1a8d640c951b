import type { Clock } from '@parcelway/kernel/clock';
import type { Logger } from '@parcelway/kernel/logger';
import { Upkeep, type UpkeepStep } from '@parcelway/kernel/upkeep';
import { disable, disablingPublished, isPauseOver, MAX_PAUSE_MS } from '../endpoints/domain/disabling.ts';
import type { Endpoint } from '../endpoints/domain/endpoint.ts';
import type { EndpointObserver, EndpointStore } from '../endpoints/ports.ts';
import type { EventAcceptance } from '../intake/accept-events.ts';
import type { Maintenance } from './ports.ts';

/** Rows in one transaction: some milliseconds, so that deliveries between two batches do not notice. */
const BATCH = 200;
/** Pause after a batch, in which only deliveries use the store. */
const PAUSE_MS = 20;
/** What has failed is tried again after this long. */
const RETRY_MS = 30_000;
const HOUR_MS = 3_600_000;

export interface MaintenanceOptions {
  readonly maintenance: Maintenance;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly retentionMs: number;
  readonly eventRetentionMs: number;
  readonly endpoints: Pick<EndpointStore, 'update'>;
  readonly acceptance: Pick<EventAcceptance, 'publishDisabled'>;
  readonly runner: Pick<EndpointObserver, 'endpointChanged'>;
}

/**
 * The slow work of the service: publishing disablings, holding, deleting, forgetting. Done hourly for what another process has left behind, and to be woken for
 * what was just disabled or deleted. Everything is derived from the state of the rows: what was begun before a crash is found again.
 */
export function createMaintenance(options: MaintenanceOptions): Upkeep {
  const { maintenance, clock, logger, retentionMs, eventRetentionMs } = options;
  const each = (what: string, find: () => Promise<readonly Endpoint[]>, work: (endpoint: Endpoint) => Promise<void>): UpkeepStep => ({
    what,
    async run() {
      const found = await find();
      for (const endpoint of found) await work(endpoint);
      return found.length > 0;
    },
  });
  const steps = [
    each(
      'Ending pauses of webhook endpoints',
      () => maintenance.pausedBefore(clock.now() - MAX_PAUSE_MS, BATCH),
      (endpoint) => endPause(options, endpoint),
    ),
    each(
      'Publishing that webhook endpoints were disabled',
      () => maintenance.disablingsToPublish(BATCH),
      (endpoint) => publish(options, endpoint),
    ),
    { what: 'Holding deliveries of disabled endpoints', run: () => maintenance.holdDisabled(BATCH) },
    { what: 'Deleting what deleted endpoints had', run: () => maintenance.purgeDeleted(BATCH) },
    { what: 'Deleting old deliveries', run: () => maintenance.expireDeliveries(clock.now() - retentionMs, BATCH) },
    { what: 'Deleting old events', run: () => maintenance.expireEvents(clock.now() - eventRetentionMs, BATCH) },
  ];
  return new Upkeep({ steps, everyMs: HOUR_MS, retryMs: RETRY_MS, pauseMs: PAUSE_MS, logger });
}

/** Publishes a disabling to the tenant's other endpoints, then notes that it is published. After a crash between the two it is published again, as the same event. */
async function publish({ endpoints, acceptance }: MaintenanceOptions, endpoint: Endpoint): Promise<void> {
  const { tenantId, endpointId, disablingToPublish } = endpoint;
  await acceptance.publishDisabled(endpoint);
  await endpoints.update(tenantId, endpointId, (current) =>
    current.disablingToPublish === disablingToPublish ? disablingPublished(current) : current,
  );
}

/** Disables an endpoint whose pause has lasted too long, unless the pause has ended since it was read. */
async function endPause({ endpoints, runner, clock }: MaintenanceOptions, { tenantId, endpointId }: Endpoint): Promise<void> {
  const now = clock.now();
  const changed = await endpoints.update(tenantId, endpointId, (current) =>
    isPauseOver(current, now) ? disable(current, 'pause_expired', now) : current,
  );
  if (changed) runner.endpointChanged(changed);
}
