import { describe, expect, jest, test } from '@jest/globals';
import { other, POLL_MS, some, useFakeTimers, world } from '../testing/scripted-dispatcher.ts';

/* How the dispatcher stops. */

useFakeTimers();

describe('a stop', () => {
  test('gives back what waits, lets what runs finish, and writes it down', async () => {
    const w = world();
    w.dispatcher.run(some(10));
    await w.turns();
    let isStopped = false;
    const stopping = w.dispatcher.stop(500).then(() => {
      isStopped = true;
    });
    await w.turns();
    expect(w.released).toEqual(['dlv_ep_1_8', 'dlv_ep_1_9']);
    for (const { response } of w.sent.slice(1)) response();
    await w.pass(499);
    expect([isStopped, w.sent[0]?.interruption.done]).toEqual([false, false]);
    w.sent[0]?.response();
    await stopping;
    expect([w.sent.length, w.recorded.length]).toEqual([8, 8]);
    expect(jest.getTimerCount()).toBe(0);
  });

  test('ends what still runs at the deadline, and gives it back', async () => {
    const w = world();
    w.dispatcher.run([...some(1), ...some(1, other)]);
    await w.turns();
    const stopping = w.dispatcher.stop(500);
    await w.pass(500);
    await stopping;
    expect([w.released, w.ids(), w.reported]).toEqual([['dlv_ep_1_0', 'dlv_ep_2_0'], [], []]);
  });

  test('drops after two seconds what the store refuses', async () => {
    const w = world();
    w.dispatcher.run(some(1));
    await w.turns();
    w.state.record = () => Promise.reject(new Error('out'));
    w.sent[0]?.response();
    await w.turns();
    let isStopped = false;
    const stopping = w.dispatcher.stop(0).then(() => {
      isStopped = true;
    });
    for (let step = 0; step < 7; step += 1) await w.pass(249);
    expect(isStopped).toBe(false);
    for (let step = 0; step < 4; step += 1) await w.pass(250);
    await stopping;
    expect(w.recorded).toEqual([]);
  });

  test('gives back what comes after it', async () => {
    const w = world();
    w.dispatcher.run(some(1));
    await w.turns();
    const stopping = w.dispatcher.stop(0);
    w.sent[0]?.response();
    await stopping;
    await w.pass(POLL_MS);
    expect(w.looks).toEqual([]);
  });
});
