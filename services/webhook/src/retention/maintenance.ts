import type { Clock } from '@parcelway/kernel/clock';
import type { Logger } from '@parcelway/kernel/logger';
import { disable, disablingPublished, isPauseOver, MAX_PAUSE_MS } from '../endpoints/domain/disabling.ts';
import type { Endpoint } from '../endpoints/domain/endpoint.ts';
import type { EndpointObserver, EndpointStore } from '../endpoints/ports.ts';
import type { EventAcceptance } from '../intake/accept-events.ts';
import type { Maintenance } from './ports.ts';

/** Rows in one transaction: some milliseconds, so that deliveries between two batches do not notice. */
const BATCH = 200;
/** Pause after a batch, in which only deliveries use the store. */
const PAUSE_MS = 20;
/** After a failure holding, deleting and publishing go on after this long; the retention waits for its hour. */
export const RETRY_MS = 30_000;
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** A parcel that has had no event for this long gets none any more, and its sequence is forgotten. */
const SEQUENCE_RETENTION_MS = 400 * DAY_MS;

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

/** The slow work of the service: publishing disablings, holding, deleting, forgetting. Always in small batches, never two at a time. */
export class MaintenanceLoop {
  readonly #options: MaintenanceOptions;
  #timer: NodeJS.Timeout | undefined;
  #retry: NodeJS.Timeout | undefined;
  #work: Promise<void> | undefined;
  #urgent = false;
  #retentionDue = false;
  #stopped = true;

  constructor(options: MaintenanceOptions) {
    this.#options = options;
  }

  /** Finishes what a former run left undone; then, once an hour, what another process has, and the retention. */
  start(): void {
    this.#stopped = false;
    this.#urgent = true;
    this.#scheduleRetention();
    this.#run();
  }

  /** Holds and deletes what was just disabled or deleted. Cheap to call. */
  nudge(): void {
    if (this.#stopped) return;
    this.#urgent = true;
    this.#run();
  }

  /** Stops after the running batch. */
  async stop(): Promise<void> {
    this.#stopped = true;
    clearInterval(this.#timer);
    clearTimeout(this.#retry);
    await this.#work;
  }

  #scheduleRetention(): void {
    this.#retentionDue = true;
    this.#timer = setInterval(() => {
      this.#urgent = true;
      this.#retentionDue = true;
      this.#run();
    }, HOUR_MS).unref();
  }

  #run(): void {
    this.#work ??= this.#loop().finally(() => {
      this.#work = undefined;
      // Asked for after the last look: nothing is left to the next nudge.
      if (!this.#stopped && (this.#urgent || this.#retentionDue)) this.#run();
    });
  }

  async #loop(): Promise<void> {
    const { maintenance, clock, logger, retentionMs, eventRetentionMs } = this.#options;
    try {
      while (!this.#stopped && (this.#urgent || this.#retentionDue)) {
        if (this.#urgent) {
          this.#urgent = false;
          await this.#each(
            () => maintenance.pausedBefore(clock.now() - MAX_PAUSE_MS, BATCH),
            (one) => this.#endPause(one),
          );
          await this.#each(
            () => maintenance.disablingsToPublish(BATCH),
            (one) => this.#publish(one),
          );
          await this.#repeat(() => maintenance.holdDisabled(BATCH));
          await this.#repeat(() => maintenance.purgeDeleted(BATCH));
          continue;
        }
        this.#retentionDue = false;
        const now = clock.now();
        await this.#repeat(() => maintenance.expireDeliveries(now - retentionMs, BATCH));
        await this.#repeat(() => maintenance.expireEvents(now - eventRetentionMs, BATCH));
        await this.#repeat(() => maintenance.expireSequences(now - SEQUENCE_RETENTION_MS, BATCH));
      }
    } catch (error) {
      // What was begun is found again: everything here is derived from the state of the rows.
      logger.error({ err: error }, 'webhook maintenance failed; trying again in half a minute');
      clearTimeout(this.#retry);
      if (!this.#stopped) this.#retry = setTimeout(() => this.nudge(), RETRY_MS).unref();
    }
  }

  /** Publishes a disabling to the tenant's other endpoints, then notes that it is published. After a crash between the two it is published again, as the same event. */
  async #publish(endpoint: Endpoint): Promise<void> {
    const { endpoints, acceptance } = this.#options;
    const { tenantId, endpointId, disablingToPublish } = endpoint;
    await acceptance.publishDisabled(endpoint);
    await endpoints.update(tenantId, endpointId, (current) =>
      current.disablingToPublish === disablingToPublish ? disablingPublished(current) : current,
    );
  }

  /** Disables an endpoint whose pause has lasted too long, unless the pause has ended since it was read. */
  async #endPause({ tenantId, endpointId }: Endpoint): Promise<void> {
    const { endpoints, runner, clock } = this.#options;
    const now = clock.now();
    const changed = await endpoints.update(tenantId, endpointId, (current) =>
      isPauseOver(current, now) ? disable(current, 'pause_expired', now) : current,
    );
    if (changed) runner.endpointChanged(changed);
  }

  /** Does something with each endpoint that is found, until none is. */
  #each(find: () => Promise<readonly Endpoint[]>, work: (endpoint: Endpoint) => Promise<void>): Promise<void> {
    return this.#repeat(async () => {
      const found = await find();
      for (const endpoint of found) await work(endpoint);
      return found.length > 0;
    });
  }

  /** Repeats a batch while there is more; urgent work goes first. */
  async #repeat(batch: () => Promise<boolean>): Promise<void> {
    while (!this.#stopped && (await batch())) {
      await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
    }
  }
}
