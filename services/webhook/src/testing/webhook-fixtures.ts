import { newId } from '@parcelway/kernel/ids';
import type { Endpoint } from '../endpoints/domain/endpoint.ts';
import type { FeedChoice } from '../feed/event-feed.ts';
import type { IntakeEntry } from '../intake/domain/decide-intake.ts';
import type { Delivery, LeasedDelivery } from '../intake/domain/delivery.ts';
import { parcelOf } from '../intake/domain/event-stream.ts';
import type { PlannedDelivery } from '../intake/domain/plan-delivery.ts';
import type { TenantEvent } from '../intake/domain/tenant-event.ts';
import type { AcceptedDelivery } from '../intake/event-writer.ts';
import type { StoreIntake } from '../intake/store-intake.ts';
import type { AttemptResult } from '../queue/domain/attempt.ts';

/** When everything happens, unless a test says otherwise. */
export const T0 = Date.parse('2026-11-21T08:00:00Z');

/** An enabled endpoint that wants weighings. */
export function endpointFor(tenantId: string, given: Partial<Endpoint> = {}): Endpoint {
  return {
    tenantId,
    endpointId: newId('ep'),
    url: 'https://receiver.example/',
    eventTypes: ['parcel.weighed'],
    description: 'ü',
    filter: {},
    headers: {},
    metadata: {},
    rateLimit: null,
    payload: 'thin',
    status: 'enabled',
    disabledReason: null,
    pausedAt: null,
    disablingToPublish: null,
    secret: 'whsec_aaaa',
    formerSecret: null,
    formerSecretUntil: null,
    slowedUntil: null,
    failingSince: null,
    createdAt: T0,
    updatedAt: T0,
    ...given,
  };
}

/** A weighing whose body shows its number. */
export function eventFor(tenantId: string, forecastNo: string, given: Partial<TenantEvent> = {}): TenantEvent {
  return {
    tenantId,
    eventId: newId('evt'),
    type: 'parcel.weighed',
    parcel: parcelOf(tenantId, forecastNo, given.type ?? 'parcel.weighed'),
    poNumber: 'PO',
    about: null,
    test: false,
    fields: {},
    occurredAt: T0,
    traceparent: null,
    render: (seq) => JSON.stringify({ seq }),
    ...given,
  };
}

/** A delivery that is due at {@link T0}. */
export function planned(given: Partial<PlannedDelivery> = {}): PlannedDelivery {
  return { deliveryId: newId('dlv'), status: 'pending', nextAttemptAt: T0, leaseUntil: null, ...given };
}

/** A page of the feed without a choice. */
export const EVERY_EVENT: FeedChoice = { types: null, poNumber: null };

/** Stores one event. @throws what its plan throws */
export async function acceptIn(
  intake: Pick<StoreIntake, 'accept'>,
  event: TenantEvent,
  now: number,
  plan: IntakeEntry['plan'],
  isReplayed = false,
): Promise<readonly AcceptedDelivery[]> {
  const [outcome] = await intake.accept([{ event, plan }], now, isReplayed);
  if (outcome === undefined || 'error' in outcome) throw outcome?.error;
  return outcome.deliveries;
}

/** A leased delivery of a weighing, to an endpoint that is the same for each. */
export function leasedOf(given: Partial<Delivery> = {}): LeasedDelivery {
  const endpoint = endpointFor('tnt_one', { endpointId: 'we_1' });
  const delivery: Delivery = {
    tenantId: 'tnt_one',
    deliveryId: 'dlv_1',
    endpointId: 'we_1',
    eventId: 'evt_1',
    eventType: 'parcel.weighed',
    poNumber: 'PO',
    status: 'pending',
    attemptCount: 0,
    step: 0,
    nextAttemptAt: T0,
    nextReason: 'first',
    test: false,
    lastStatusCode: null,
    createdAt: T0,
    ...given,
  };
  return { endpoint, delivery, body: '{}', origin: { occurredAt: T0, traceparent: null }, leaseUntil: T0, version: 1 };
}

export function resultOf(leased: LeasedDelivery, status: AttemptResult['status'], nextAttemptAt: number | null = null): AttemptResult {
  const outcome = status === 'succeeded' ? 'succeeded' : 'failed';
  const statusCode = status === 'succeeded' ? 200 : 500;
  const errorCode = status === 'succeeded' ? null : 'status';
  const seen = { startedAt: T0, durationMs: 3, outcome, statusCode, error: null, errorCode, retryAfter: null, responseBody: 'x' } as const;
  const attempt = { attemptId: newId('att'), url: leased.endpoint.url, ...seen };
  return { leased, attempt, status, nextAttemptAt, nextReason: nextAttemptAt === null ? null : 'schedule', gone: false };
}

export const keep = (endpoint: Endpoint): Endpoint => endpoint;
