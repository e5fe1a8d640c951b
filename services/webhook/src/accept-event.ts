import type { Environment } from '@parcelway/contracts/environment';
import { AppError } from '@parcelway/kernel/app-error';
import type { Clock } from '@parcelway/kernel/clock';
import { newId } from '@parcelway/kernel/ids';
import { type Delivery, isSubscribed, scheduleFor } from './domain/delivery.ts';
import type { Endpoint } from './domain/endpoint.ts';
import { type RetrySchedule, waitBefore } from './domain/retry-schedule.ts';
import { type TenantEvent, testEventFor } from './domain/tenant-event.ts';
import { noSuchEndpoint } from './manage-endpoints.ts';
import type { AcceptedDelivery, DeliveryRunner, EndpointStore, EventIntake, PlannedDelivery } from './ports.ts';

/** What events are taken in with. */
export interface IntakeTools {
  readonly intake: EventIntake;
  readonly endpoints: Pick<EndpointStore, 'get'>;
  readonly runner: Pick<DeliveryRunner, 'hasRoom' | 'run'>;
  readonly schedule: RetrySchedule;
  readonly clock: Clock;
  readonly random: () => number;
  readonly environment: Environment;
  readonly leaseMs: number;
}

/** Takes events in and starts their first attempts. */
export interface EventAcceptance {
  /** Stores an event and its deliveries; an event that is known already changes nothing. */
  accept(event: TenantEvent): Promise<void>;
  /** @throws AppError 40403 when there is no such endpoint, 40902 when it is disabled */
  sendTest(tenantId: string, endpointId: string): Promise<Delivery>;
}

/** 40902: a disabled endpoint is sent nothing. */
export function disabledEndpoint(): AppError {
  return new AppError('40902', 'The endpoint is disabled; enable it first with PATCH {"status": "enabled"}');
}

/**
 * The way from an event to its first attempt: event and deliveries are stored together, and where the dispatcher has room
 * the deliveries are born leased to this process, so that the attempt starts as soon as they are durable, with nothing
 * read back from the store.
 */
export function createEventAcceptance(tools: IntakeTools): EventAcceptance {
  const { intake, endpoints, runner, clock } = tools;

  function plan(event: TenantEvent, endpoint: Endpoint, now: number): PlannedDelivery | null {
    if (!isSubscribed(endpoint, event.type)) return null;
    const deliveryId = newId('dlv');
    if (endpoint.status === 'disabled') return { deliveryId, status: 'held', nextAttemptAt: null, leaseUntil: null };
    const wait = waitBefore(scheduleFor(event.type, tools.schedule), 0, tools.random()) ?? 0;
    const leaseUntil = wait === 0 && runner.hasRoom(endpoint.endpointId) ? now + tools.leaseMs : null;
    return { deliveryId, status: 'pending', nextAttemptAt: now + wait, leaseUntil };
  }

  async function take(
    event: TenantEvent,
    planFor: (endpoint: Endpoint, now: number) => PlannedDelivery | null,
  ): Promise<readonly AcceptedDelivery[]> {
    const now = clock.now();
    const made = await intake.accept(event, now, (endpoint) => planFor(endpoint, now));
    runner.run(made.flatMap(({ leased }) => leased ?? []));
    return made;
  }

  return {
    async accept(event) {
      await take(event, (endpoint, now) => plan(event, endpoint, now));
    },
    async sendTest(tenantId, endpointId) {
      const target = await endpoints.get(tenantId, endpointId);
      if (!target) throw noSuchEndpoint();
      const event = testEventFor(target, newId('evt'), tools.environment, clock.now());
      const made = await take(event, (endpoint, now) => {
        if (endpoint.endpointId !== endpointId) return null;
        if (endpoint.status === 'disabled') throw disabledEndpoint();
        return plan(event, endpoint, now);
      });
      const only = made[0];
      // Deleted between the look and the taking in.
      if (!only) throw noSuchEndpoint();
      return only.delivery;
    },
  };
}
