import { describe, expect, test } from '@jest/globals';
import { ManualClock } from '@parcelway/kernel/clock';
import { endpoint, LEASE_MS, world } from '../testing/intake-world.ts';
import { endpointFor, T0 } from '../testing/webhook-fixtures.ts';
import { createEventAcceptance } from './accept-events.ts';

const other = endpointFor('tnt_one', { endpointId: 'ep_2' });

describe('a test event', () => {
  test('goes to its endpoint alone, whatever that subscribes to', async () => {
    const { acceptance, received, plans } = world([{ ...endpoint, eventTypes: [] }, other]);
    const { deliveryId } = await acceptance.sendTest('tnt_one', 'ep_1');
    expect(plans).toEqual([expect.objectContaining({ deliveryId }), null]);
    expect(received[0]?.event).toMatchObject({ test: true, about: 'ep_1', occurredAt: T0, eventId: expect.stringMatching(/^evt_/) });
    expect(JSON.parse(received[0]?.event.render(null) ?? '')).toMatchObject({ data: { environment: 'sandbox', endpoint_id: 'ep_1' } });
  });

  test('is of the type that is asked for', async () => {
    const { acceptance, received } = world([endpoint]);
    await acceptance.sendTest('tnt_one', 'ep_1', 'tracking.changed');
    expect(received[0]?.event.type).toBe('tracking.changed');
  });

  test('of one request is sent once, however often it is asked for', async () => {
    const { acceptance, received } = world([endpoint]);
    const first = await acceptance.sendTest('tnt_one', 'ep_1', undefined, 'request 1');
    expect(await acceptance.sendTest('tnt_one', 'ep_1', undefined, 'request 1')).toBe(first);
    expect(await acceptance.sendTest('tnt_one', 'ep_1', undefined, 'request 2')).not.toBe(first);
    expect(await acceptance.sendTest('tnt_one', 'ep_1')).not.toBe(first);
    expect(received).toHaveLength(3);
  });

  test.each(['paused', 'disabled'] as const)('is refused by an endpoint that is %s, though others are as well', async (status) => {
    const { acceptance } = world([
      { ...other, status },
      { ...endpoint, status },
    ]);
    await expect(acceptance.sendTest('tnt_one', 'ep_1')).rejects.toMatchObject({
      code: '40902',
      message: `The endpoint is ${status}; enable it first with PATCH {"status": "enabled"}`,
    });
  });

  test('does not mind that another endpoint is paused', async () => {
    const { acceptance, ran } = world([{ ...other, status: 'paused' }, endpoint]);
    await acceptance.sendTest('tnt_one', 'ep_1');
    expect(ran.flat()).toHaveLength(1);
  });

  test('needs an endpoint of the tenant, until its event is stored', async () => {
    const missing = { code: '40403', message: 'The endpoint does not exist' };
    await expect(world([endpoint]).acceptance.sendTest('tnt_one', 'ep_9')).rejects.toMatchObject(missing);
    await expect(world([endpoint]).acceptance.sendTest('tnt_two', 'ep_1')).rejects.toMatchObject(missing);
    const { acceptance } = world([endpoint]);
    const gone = createEventAcceptance({
      intake: { accept: async () => [], settled: async () => undefined },
      log: { ofEvent: async () => undefined },
      endpoints: { get: async () => endpoint },
      runner: { roomFor: () => 64, run: () => undefined },
      firstWaitMs: () => 0,
      clock: new ManualClock(T0),
      environment: 'sandbox',
      leaseMs: LEASE_MS,
    });
    await expect(gone.sendTest('tnt_one', 'ep_1')).rejects.toMatchObject(missing);
    await expect(acceptance.sendTest('tnt_one', 'ep_1')).resolves.toBeDefined();
  });
});
