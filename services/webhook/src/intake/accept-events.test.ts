import { describe, expect, test } from '@jest/globals';
import type { Endpoint } from '../endpoints/domain/endpoint.ts';
import { endpoint, LEASE_MS, type Situation, world } from '../testing/intake-world.ts';
import { eventFor, T0 } from '../testing/webhook-fixtures.ts';
import type { PlannedDelivery } from './domain/plan-delivery.ts';

describe('an event', () => {
  const event = eventFor('tnt_one', 'FC1');
  const deliveryId = expect.stringMatching(/^dlv_/);

  test('need not wait for the disk when it comes from the log, which keeps it until it is settled; any other does', async () => {
    const { acceptance, received, settlings } = world([endpoint]);
    await acceptance.accept([event]);
    await acceptance.sendTest('tnt_one', 'ep_1');
    await acceptance.publishDisabled({ ...endpoint, status: 'disabled', disablingToPublish: T0 });
    await acceptance.settled();
    expect(received.map(({ isReplayed }) => isReplayed)).toEqual([true, false, false]);
    expect(settlings).toEqual([3]);
  });

  test('is leased to this process and started at once where there is room', async () => {
    const { acceptance, plans, ran } = world([endpoint]);
    await acceptance.accept([event]);
    expect(plans).toEqual([{ deliveryId, status: 'pending', nextAttemptAt: T0, leaseUntil: T0 + LEASE_MS }]);
    expect(ran).toEqual([[{ delivery: { deliveryId } }]]);
  });

  const waiting: Partial<PlannedDelivery> = { status: 'pending', nextAttemptAt: T0, leaseUntil: null };
  test.each<[string, Partial<Endpoint>, Situation, Partial<PlannedDelivery> | null]>([
    ['there is no room', {}, { room: 0 }, waiting],
    ['the schedule begins with a wait', {}, { first: 5000 }, { ...waiting, nextAttemptAt: T0 + 5000 }],
    ['the endpoint is paused', { status: 'paused' }, {}, waiting],
    ['its circuit is open', { circuit: { openUntil: T0 + 1, cooldownMs: 1 } }, {}, waiting],
    ['the endpoint is disabled', { status: 'disabled' }, {}, { ...waiting, status: 'held', nextAttemptAt: null }],
    ['it is not for the endpoint', { eventTypes: ['tracking.changed'] }, {}, null],
  ])('is not started at once when %s', async (_name, given, situation, plan) => {
    const { acceptance, plans, ran } = world([{ ...endpoint, ...given }], situation);
    await acceptance.accept([event]);
    expect(plans).toEqual([plan && { ...plan, deliveryId }]);
    expect(ran.flat()).toEqual([]);
  });

  test('is leased as a probe once the circuit may be probed', async () => {
    const { acceptance, ran } = world([{ ...endpoint, circuit: { openUntil: T0, cooldownMs: 1 } }]);
    await acceptance.accept([event]);
    expect(ran.flat()).toHaveLength(1);
  });
});
