import { describe, expect, test } from '@jest/globals';
import { bad, endpoint, other, POLL_MS, some, useFakeTimers, world } from '../testing/scripted-dispatcher.ts';
import { T0 } from '../testing/webhook-fixtures.ts';

/* What the dispatcher does when an endpoint fails, or changes. */

useFakeTimers();

describe('an endpoint', () => {
  test('that keeps failing is warned of once its circuit opens, with the time', async () => {
    const w = world();
    w.state.onSent = ({ response }) => response(bad);
    for (let round = 0; round < 20; round += 1) {
      w.dispatcher.run(some(1, endpoint, `r${round}`));
      await w.turns();
    }
    const openUntil = w.recorded[19]?.restraint?.circuit?.openUntil;
    expect(openUntil).toBeGreaterThan(T0);
    expect(w.warnings).toEqual([{ tenant_id: 'tnt_one', endpoint_id: 'ep_1', open_until: openUntil }]);
    expect(w.dispatcher.circuits()).toEqual({ closed: 0, open: 1, half_open: 0 });
  });

  test('that its responses have disabled gets nothing more, is warned of, and what is pending is to be held', async () => {
    const w = world();
    w.dispatcher.run(some(10));
    await w.turns();
    const disabled = { ...endpoint, status: 'disabled', disabledReason: 'gone', updatedAt: T0 + 1 } as const;
    w.state.record = async () => [disabled];
    w.sent[0]?.response({ ...bad, statusCode: 410 });
    await w.turns();
    expect(w.warnings).toEqual([{ tenant_id: 'tnt_one', endpoint_id: 'ep_1', reason: 'gone' }]);
    expect(w.state.disabled).toBe(1);
    w.state.record = async () => [];
    const { length } = w.sent;
    for (const { response } of w.sent) response();
    await w.turns();
    expect(w.sent).toHaveLength(length);
  });

  test('that is enabled is looked for at once, one that is paused is not', async () => {
    const w = world();
    w.dispatcher.start();
    await w.turns();
    w.dispatcher.endpointChanged({ ...endpoint, status: 'paused' });
    await w.pass(10);
    expect(w.looks).toHaveLength(1);
    w.dispatcher.endpointChanged(endpoint);
    await w.pass(10);
    expect(w.looks).toHaveLength(2);
    w.dispatcher.wake();
    await w.pass(10);
    expect(w.looks).toHaveLength(3);
    await w.dispatcher.stop(0);
  });

  test('that has moved gets what waits at its new address, and an older state changes nothing', async () => {
    const w = world();
    w.dispatcher.run(some(9));
    await w.turns();
    w.dispatcher.endpointChanged({ ...endpoint, url: 'https://new.example/', updatedAt: T0 + 1 });
    w.dispatcher.endpointChanged({ ...endpoint, url: 'https://older.example/', updatedAt: T0 });
    w.sent[0]?.response();
    await w.turns();
    expect(w.sent[8]?.request.url).toBe('https://new.example/');
  });

  test('that is disabled is not in use any more once its attempts are over', async () => {
    const w = world();
    w.dispatcher.run([...some(20), ...some(1, other)]);
    await w.turns();
    expect(w.dispatcher.endpointsInUse()).toEqual([endpoint, other]);
    w.dispatcher.endpointChanged({ ...endpoint, status: 'disabled', updatedAt: T0 + 1 });
    for (const { response, request } of w.sent) if (request.url === endpoint.url) response();
    await w.turns();
    expect(w.dispatcher.endpointsInUse()).toEqual([other]);
    // What waited is no longer in flight: once the endpoint is enabled it can be taken again.
    w.dispatcher.endpointChanged({ ...endpoint, updatedAt: T0 + 2 });
    w.dispatcher.run(
      some(20)
        .slice(8)
        .map((one) => ({ ...one, endpoint: { ...endpoint, updatedAt: T0 + 2 } })),
    );
    await w.turns();
    expect(w.sent.length).toBeGreaterThan(9);
  });

  test('that was deleted has its attempts ended, and nothing of them is written down or given back', async () => {
    const w = world();
    w.dispatcher.endpointRemoved('ep_9');
    w.dispatcher.run(some(10));
    await w.turns();
    w.dispatcher.endpointRemoved('ep_1');
    expect(w.sent.map(({ interruption }) => interruption.done)).toEqual(w.sent.map(() => true));
    await w.turns();
    expect([w.sent.length, w.released, w.ids(), w.reported]).toEqual([8, [], [], []]);
    expect(w.dispatcher.endpointsInUse()).toEqual([]);
    expect(w.dispatcher.circuits()).toEqual({ closed: 0, open: 0, half_open: 0 });
  });
});

test('what was learnt of an endpoint is forgotten at a poll, an hour after its last attempt', async () => {
  const w = world();
  w.dispatcher.run(some(1));
  await w.turns();
  w.sent[0]?.response(bad);
  await w.turns();
  w.dispatcher.start();
  await w.turns();
  expect(w.dispatcher.circuits().closed).toBe(1);
  w.clock.advance(3_600_000);
  await w.pass(POLL_MS);
  expect(w.dispatcher.circuits().closed).toBe(0);
  await w.dispatcher.stop(0);
});
