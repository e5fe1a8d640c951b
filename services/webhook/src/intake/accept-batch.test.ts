import { describe, expect, test } from '@jest/globals';
import { endpoint, LEASE_MS, world } from '../testing/intake-world.ts';
import { eventFor, T0 } from '../testing/webhook-fixtures.ts';

describe('a batch of events', () => {
  const batch = ['FC1', 'FC2', 'FC3'].map((forecastNo) => eventFor('tnt_one', forecastNo));

  test('is stored together, and leases as many deliveries as there is room for; the endpoint is named when others wait in the store', async () => {
    const { acceptance, received, plans, ran, waiting } = world([endpoint], { room: 2 });
    await acceptance.accept(batch);
    expect(received.map(({ event }) => event)).toEqual(batch);
    expect(plans.map((planned) => planned?.leaseUntil)).toEqual([T0 + LEASE_MS, T0 + LEASE_MS, null]);
    expect([ran.flat().length, waiting]).toEqual([2, ['ep_1']]);
  });

  test('leases one probe of an endpoint whose circuit may be probed', async () => {
    const { acceptance, plans, waiting } = world([{ ...endpoint, circuit: { openUntil: T0, cooldownMs: 1 } }]);
    await acceptance.accept(batch);
    expect(plans.map((planned) => planned?.leaseUntil)).toEqual([T0 + LEASE_MS, null, null]);
    expect(waiting).toEqual(['ep_1']);
  });

  test('names no endpoint that is sent nothing now', async () => {
    const { acceptance, plans, waiting } = world([{ ...endpoint, status: 'paused' }], { room: 2 });
    await acceptance.accept(batch);
    expect([plans.length, waiting]).toEqual([3, []]);
  });

  test('names no endpoint when there is room for all', async () => {
    const { acceptance, ran, waiting } = world([endpoint], { room: 3 });
    await acceptance.accept(batch);
    expect([ran.flat().length, waiting]).toEqual([3, []]);
  });

  test('starts the attempts of those that are stored when one is refused, and fails', async () => {
    const { acceptance, ran } = world([endpoint], { refused: batch[1]?.eventId ?? '' });
    await expect(acceptance.accept(batch)).rejects.toMatchObject({ code: '42201' });
    expect(ran.flat()).toHaveLength(2);
  });
});
