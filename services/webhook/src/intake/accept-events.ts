import { createHash } from 'node:crypto';
import type { Environment } from '@parcelway/contracts/environment';
import type { TestRequest } from '@parcelway/contracts/webhook-delivery-api';
import { TEST_EVENT_TYPE } from '@parcelway/contracts/webhook-event-types';
import type { Clock } from '@parcelway/kernel/clock';
import { idFromSeed, newId } from '@parcelway/kernel/ids';
import type { Endpoint } from '../endpoints/domain/endpoint.ts';
import type { EndpointStore } from '../endpoints/endpoint-store.ts';
import { noSuchEndpoint } from '../endpoints/manage-endpoints.ts';
import { type Delivery, LEASE_MS, type LeasedDelivery } from './domain/delivery.ts';
import { type PlanOptions, planDelivery } from './domain/plan-delivery.ts';
import { disabledEventOf, type TenantEvent, testEventFor } from './domain/tenant-event.ts';
import type { AcceptedDelivery } from './event-writer.ts';
import type { StoreIntake } from './store-intake.ts';

/** Makes the first attempts of deliveries that are leased from the beginning. */
export interface FirstAttempts {
  /** How many attempts at this endpoint would start soon, so that their leases may be taken right away. */
  roomFor(endpointId: string): number;
  /**
   * Starts leased deliveries.
   * @param waiting endpoints that had no room for others, which are in the store by now; default none
   */
  run(leased: readonly LeasedDelivery[], waiting?: ReadonlySet<string>): void;
}

export interface IntakeOptions {
  readonly intake: Pick<StoreIntake, 'accept' | 'untilNext' | 'settled'>;
  readonly endpoints: Pick<EndpointStore, 'get'>;
  readonly log: {
    /** The delivery of an event at an endpoint; undefined when the event was not for it, or the retention has deleted it. */
    ofEvent(tenantId: string, endpointId: string, eventId: string): Promise<Delivery | undefined>;
  };
  readonly runner: FirstAttempts;
  /** Wait before the first attempt of an event's deliveries, milliseconds. */
  readonly firstWaitMs: (event: Pick<TenantEvent, 'test'>) => number;
  readonly clock: Clock;
  readonly environment: Environment;
  /** Called for each event that happened and is stored; default: nothing is. Also again for one that came again. */
  readonly onAccepted?: (tenantId: string) => void;
}

export type EventAcceptance = ReturnType<typeof createEventAcceptance>;

/** The same id for the same disabling, so that publishing it again after a crash creates no second event. */
function disabledEventId({ endpointId, disablingToPublish }: Endpoint): string {
  const digest = createHash('sha256').update(`endpoint.disabled ${endpointId} ${disablingToPublish}`).digest('hex');
  return `evt_${digest.slice(0, 32)}`;
}

/**
 * The way from events to their first attempts: events and deliveries are stored together, and where the dispatcher has room
 * the deliveries are leased to this process from the beginning, so that the attempts start as soon as they are stored, with nothing
 * read back from the store.
 */
export function createEventAcceptance(options: IntakeOptions) {
  const { intake, endpoints, log, runner, clock, environment, firstWaitMs, onAccepted } = options;

  async function store(events: readonly TenantEvent[], isReplayed: boolean): Promise<AcceptedDelivery[]> {
    const now = clock.now();
    const waiting = new Set<string>();
    const planning: PlanOptions = {
      now,
      newDeliveryId: () => newId('dlv'),
      firstWaitMs,
      roomFor: (endpointId) => runner.roomFor(endpointId),
      roomLeft: new Map(),
      waiting,
      leaseUntil: now + LEASE_MS,
    };
    const entries = events.map((event) => ({ event, plan: (endpoint: Endpoint) => planDelivery(event, endpoint, planning) }));
    const outcomes = await intake.accept(entries, now, isReplayed);
    const deliveries = outcomes.flatMap((outcome) => ('error' in outcome ? [] : outcome.deliveries));
    runner.run(
      deliveries.flatMap(({ leased }) => leased ?? []),
      waiting,
    );
    const failed = outcomes.find((outcome) => 'error' in outcome);
    if (failed !== undefined) throw failed.error;
    return deliveries;
  }

  return {
    /**
     * Stores a batch of events with their deliveries; an event that is stored already changes nothing. The first attempts begin at once, so they
     * do not wait for the disk: the events have to come again unless `settled` has resolved. The more there were, the longer it takes to
     * resolve after that, so that what comes meanwhile is read and stored together.
     * @throws AppError of the first event that cannot be stored; the others are stored before
     */
    async accept(events: readonly TenantEvent[]): Promise<void> {
      await store(events, true);
      for (const { tenantId } of events) onAccepted?.(tenantId);
      await intake.untilNext();
    },
    /** Resolves once all accepted events survive a loss of power. @throws AppError 50301 when the store is out */
    settled: (): Promise<void> => intake.settled(),
    /** Stores the event that the platform has disabled an endpoint: one event, however often it is called for one disabling. */
    async publishDisabled(endpoint: Endpoint): Promise<void> {
      const given = { eventId: disabledEventId(endpoint), environment, now: endpoint.disablingToPublish ?? clock.now() };
      const event = disabledEventOf(endpoint, given);
      await store([event], false);
    },
    /**
     * @param seed of the request, which makes one event however often it is called
     * @throws AppError 40403 when there is no such endpoint, 40902 when it is paused or disabled
     */
    async sendTest(
      tenantId: string,
      endpointId: string,
      type: NonNullable<TestRequest['event_type']> = TEST_EVENT_TYPE,
      seed?: string,
    ): Promise<Delivery> {
      const target = await endpoints.get(tenantId, endpointId);
      if (!target) throw noSuchEndpoint();
      const eventId = seed === undefined ? newId('evt') : idFromSeed('evt', seed);
      const sent = seed === undefined ? undefined : await log.ofEvent(tenantId, endpointId, eventId);
      if (sent) return sent;
      const event = testEventFor(target, type, { eventId, environment, now: clock.now() });
      const [only] = await store([event], false);
      // Stored at an earlier call, of which the response was lost; or the endpoint was deleted after it was read above.
      const delivery = only?.delivery ?? (await log.ofEvent(tenantId, endpointId, eventId));
      if (!delivery) throw noSuchEndpoint();
      return delivery;
    },
  };
}
