import { describe, expect, test } from '@jest/globals';
import { endpoint, fleet, leasedOf, some, useFakeTimers, world } from '../testing/scripted-dispatcher.ts';
import { endpointFor, T0 } from '../testing/webhook-fixtures.ts';
import { LANE_QUEUE_LIMIT } from './domain/lane.ts';

/* What the dispatcher keeps in memory, and what it asks of the store. */

useFakeTimers();

describe('attempts side by side', () => {
  test('are 512, however many endpoints there are', async () => {
    const w = world();
    w.dispatcher.run(fleet(520).flatMap((one) => some(1, one)));
    await w.turns();
    expect(w.sent).toHaveLength(512);
    w.sent[0]?.response();
    await w.turns();
    expect(w.sent).toHaveLength(513);
  });

  test('leave the upper half to endpoints that have none yet', async () => {
    const w = world();
    w.dispatcher.run(fleet(100).flatMap((one) => some(4, one)));
    await w.turns();
    expect(w.sent).toHaveLength(256);
    const late = endpointFor('tnt_one', { endpointId: 'ep_late' });
    w.dispatcher.run(some(2, late));
    await w.turns();
    expect(w.sent).toHaveLength(257);
  });

  test('stop while two thousand results wait for the store', async () => {
    const w = world();
    const kept: (() => void)[] = [];
    w.state.onSent = ({ response }) => response();
    w.state.record = () => new Promise((resolve) => kept.push(() => resolve([])));
    w.dispatcher.run(fleet(50).flatMap((one) => some(LANE_QUEUE_LIMIT, one)));
    for (let round = 0; round < 20; round += 1) await w.turns();
    expect(w.sent.length).toBeGreaterThanOrEqual(2000);
    expect(w.sent.length).toBeLessThan(2512);
    w.state.record = async () => [];
    for (const write of kept) write();
    for (let round = 0; round < 20; round += 1) await w.turns();
    expect([w.sent.length, w.recorded.length]).toEqual([3200, 3200]);
  });

  test('start only with a lease that lasts for 20 s; what does not is given back', async () => {
    const w = world();
    w.dispatcher.run([leasedOf(endpoint, 'short', T0 + 19_999), leasedOf(endpoint, 'long', T0 + 20_000)]);
    await w.turns();
    expect(w.sent.map(({ request }) => request.headers['webhook-id'])).toEqual(['evt_long']);
    expect(w.released).toEqual(['short']);
    // Given back, it is no longer in flight.
    w.dispatcher.run([leasedOf(endpoint, 'short')]);
    await w.turns();
    expect(w.sent).toHaveLength(2);
  });
});
