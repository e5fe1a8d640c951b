import { createHash } from 'node:crypto';
import type { Environment } from '@parcelway/contracts/environment';
import type { TestRequest } from '@parcelway/contracts/webhook-delivery-api';
import { TEST_EVENT_TYPE } from '@parcelway/contracts/webhook-event-types';
import { AppError } from '@parcelway/kernel/app-error';
import type { Clock } from '@parcelway/kernel/clock';
import { idFromSeed, newId } from '@parcelway/kernel/ids';
import { type Endpoint, leasable } from '../endpoints/domain/endpoint.ts';
import { noSuchEndpoint } from '../endpoints/manage-endpoints.ts';
import type { EndpointStore } from '../endpoints/ports.ts';
import type { Delivery } from './domain/delivery.ts';
import { isFor } from './domain/recipients.ts';
import { disabledEventOf, type TenantEvent, testEventFor } from './domain/tenant-event.ts';
import type { AcceptedDelivery, DeliveryLookup, EventIntake, FirstAttempts, PlannedDelivery } from './ports.ts';

/** What events are taken in with. */
export interface IntakeOptions {
  readonly intake: EventIntake;
  readonly endpoints: Pick<EndpointStore, 'get'>;
  readonly log: DeliveryLookup;
  readonly runner: FirstAttempts;
  /** Wait before the first attempt of an event's deliveries, milliseconds. */
  readonly firstWaitMs: (event: Pick<TenantEvent, 'test'>) => number;
  readonly clock: Clock;
  readonly environment: Environment;
  readonly leaseMs: number;
}

/** Takes events in and starts their first attempts. */
export interface EventAcceptance {
  /**
   * Stores an event and its deliveries; an event that is known already changes nothing. The first attempts begin at once, so they do not wait
   * for the disk: the event has to come again unless {@link settled} has resolved.
   */
  accept(event: TenantEvent): Promise<void>;
  /** Resolves once all accepted events survive a loss of power. @throws AppError 50301 when the store is out */
  settled(): Promise<void>;
  /** Stores the news that the platform has disabled an endpoint. Told once, however often it is called for one disabling. */
  tellDisabled(endpoint: Endpoint): Promise<void>;
  /**
   * @param seed of the request, which makes one event however often it is called
   * @throws AppError 40403 when there is no such endpoint, 40902 when it is paused or disabled
   */
  sendTest(tenantId: string, endpointId: string, type?: TestRequest['event_type'], seed?: string): Promise<Delivery>;
}

/** 40902: an endpoint that is paused or disabled is sent nothing. */
export function notEnabled({ status }: Endpoint): AppError {
  return new AppError('40902', `The endpoint is ${status}; enable it first with PATCH {"status": "enabled"}`);
}

/** The same id for the same disabling, so that telling it again after a crash makes no second event. */
function disabledEventId({ endpointId, disablingToTell }: Endpoint): string {
  const digest = createHash('sha256').update(`endpoint.disabled ${endpointId} ${disablingToTell}`).digest('hex');
  return `evt_${digest.slice(0, 32)}`;
}

/**
 * The way from an event to its first attempt: event and deliveries are stored together, and where the dispatcher has room
 * the deliveries are born leased to this process, so that the attempt starts as soon as they are stored, with nothing
 * read back from the store.
 */
export function createEventAcceptance(tools: IntakeOptions): EventAcceptance {
  const { intake, endpoints, runner, clock, environment } = tools;

  function plan(event: TenantEvent, endpoint: Endpoint, now: number): PlannedDelivery | null {
    if (!isFor(event, endpoint)) return null;
    const deliveryId = newId('dlv');
    if (endpoint.status === 'disabled') return { deliveryId, status: 'held', nextAttemptAt: null, leaseUntil: null };
    const wait = tools.firstWaitMs(event);
    const isBornLeased = wait === 0 && leasable(endpoint, 1, now) === 1 && runner.hasRoom(endpoint.endpointId);
    const leaseUntil = isBornLeased ? now + tools.leaseMs : null;
    return { deliveryId, status: 'pending', nextAttemptAt: now + wait, leaseUntil };
  }

  async function take(
    event: TenantEvent,
    planFor: (endpoint: Endpoint, now: number) => PlannedDelivery | null,
    comesAgain = false,
  ): Promise<readonly AcceptedDelivery[]> {
    const now = clock.now();
    const made = await intake.accept(event, now, (endpoint) => planFor(endpoint, now), comesAgain);
    runner.run(made.flatMap(({ leased }) => leased ?? []));
    return made;
  }

  return {
    async accept(event) {
      await take(event, (endpoint, now) => plan(event, endpoint, now), true);
    },
    settled: () => intake.settled(),
    async tellDisabled(endpoint) {
      const making = { eventId: disabledEventId(endpoint), environment, now: endpoint.disablingToTell ?? clock.now() };
      const event = disabledEventOf(endpoint, making);
      await take(event, (other, now) => plan(event, other, now));
    },
    async sendTest(tenantId, endpointId, type = TEST_EVENT_TYPE, seed) {
      const target = await endpoints.get(tenantId, endpointId);
      if (!target) throw noSuchEndpoint();
      const eventId = seed === undefined ? newId('evt') : idFromSeed('evt', seed);
      const sent = seed === undefined ? undefined : await tools.log.ofEvent(tenantId, endpointId, eventId);
      if (sent) return sent;
      const event = testEventFor(target, type, { eventId, environment, now: clock.now() });
      const made = await take(event, (endpoint, now) => {
        if (endpoint.endpointId === endpointId && endpoint.status !== 'enabled') throw notEnabled(endpoint);
        return plan(event, endpoint, now);
      });
      const only = made[0];
      // Deleted between the look and the taking in.
      if (!only) throw noSuchEndpoint();
      return only.delivery;
    },
  };
}
