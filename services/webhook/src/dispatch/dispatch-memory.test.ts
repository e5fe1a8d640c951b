import { describe, expect, test } from '@jest/globals';
import type { LeasedDelivery } from '../intake/domain/delivery.ts';
import { bad } from '../testing/dispatch-world.ts';
import { endpoint, POLL_MS, some, useFakeTimers, world } from '../testing/scripted-dispatcher.ts';
import { T0 } from '../testing/webhook-fixtures.ts';

/* What the dispatcher keeps in memory, and what it asks of the store. */

useFakeTimers();

describe('a delivery', () => {
  test('is in flight until its result is on disk: the same one is not taken twice', async () => {
    const w = world();
    const [one] = some(1) as [LeasedDelivery];
    let write = (): void => undefined;
    w.state.record = () => new Promise((resolve) => (write = () => resolve([])));
    w.dispatcher.run([one, one]);
    w.dispatcher.run([one]);
    await w.turns();
    w.sent[0]?.response();
    await w.turns();
    w.dispatcher.run([one]);
    await w.turns();
    expect(w.sent).toHaveLength(1);
    write();
    await w.turns();
    expect([w.ids(), w.reported]).toEqual([['dlv_ep_1_0'], [false]]);
    w.dispatcher.run([one]);
    await w.turns();
    expect(w.sent).toHaveLength(2);
  });

  test('that cannot be attempted is logged, and can be taken again', async () => {
    const w = world();
    const err = new Error('no key');
    w.state.sign = () => {
      throw err;
    };
    w.dispatcher.run(some(1));
    await w.turns();
    expect(w.errors).toEqual([{ err, delivery_id: 'dlv_ep_1_0' }]);
    w.state.sign = () => 'v1,x';
    w.dispatcher.run(some(1));
    await w.turns();
    expect(w.sent).toHaveLength(1);
  });

  test('that is to be tried again is looked for at that time', async () => {
    const w = world();
    w.dispatcher.start();
    await w.turns();
    w.dispatcher.run(some(1));
    await w.turns();
    w.sent[0]?.response(bad);
    await w.turns();
    const next = w.recorded[0]?.nextAttemptAt ?? 0;
    expect(next).toBeGreaterThan(T0);
    expect(next).toBeLessThan(T0 + POLL_MS - 100);
    await w.pass(next - T0 + 1);
    expect(w.looks).toHaveLength(1);
    await w.pass(1);
    expect(w.looks).toHaveLength(2);
    await w.dispatcher.stop(0);
  });

  test('that has succeeded makes nobody look', async () => {
    const w = world();
    w.dispatcher.start();
    w.dispatcher.run(some(1));
    await w.turns();
    w.sent[0]?.response();
    await w.pass(POLL_MS - 1);
    expect([w.looks.length, w.leases]).toEqual([1, []]);
    await w.dispatcher.stop(0);
  });

  test('that waited because its receiver had asked for less is reported as such', async () => {
    const w = world();
    w.dispatcher.run(some(1));
    await w.turns();
    w.sent[0]?.response({ ...bad, statusCode: 429, retryAfter: '5' });
    await w.turns();
    w.dispatcher.run(some(1, endpoint, 'later'));
    await w.turns();
    expect(w.sent).toHaveLength(1);
    await w.pass(5000);
    w.sent[1]?.response();
    await w.turns();
    expect(w.reported).toEqual([false, true]);
    expect(w.recorded[0]?.restraint).toEqual({ slowedUntil: T0 + 5000 });
    expect(w.recorded[1]).not.toHaveProperty('restraint');
  });
});
