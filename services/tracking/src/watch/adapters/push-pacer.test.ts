import { expect, test } from '@jest/globals';
import { PushPacer } from './push-pacer.ts';

const APART = 4;

/** An event loop whose turns are made by the test. */
class TestLoop {
  #ms = 0;
  #next: Array<() => void> = [];

  now(): number {
    return this.#ms;
  }

  nextTurn(callback: () => void): void {
    this.#next.push(callback);
  }

  /** True when somebody waits for the next turn. */
  get isAwaited(): boolean {
    return this.#next.length > 0;
  }

  /** Makes a turn that takes `ms`. */
  async turn(ms = 0): Promise<void> {
    this.#ms += ms;
    const callbacks = this.#next;
    this.#next = [];
    for (const callback of callbacks) callback();
    await Promise.resolve();
  }
}

function paced() {
  const loop = new TestLoop();
  const pacer = new PushPacer(loop);
  const started: string[] = [];
  const push = (connectionId: string, name = connectionId): void => {
    void pacer.turnOf(connectionId).then(() => started.push(name));
  };
  return { loop, started, push };
}

test('a push that comes alone starts at once, and nothing is left to be done after it', async () => {
  const { loop, started, push } = paced();
  push('a');
  await Promise.resolve();
  expect(started).toEqual(['a']);
  for (let turn = 0; turn < APART; turn += 1) await loop.turn();
  expect(loop.isAwaited).toBe(false);
  push('a');
  await Promise.resolve();
  expect(started).toEqual(['a', 'a']);
});

test('of pushes that come together, one starts, and three more every four turns', async () => {
  const { loop, started, push } = paced();
  for (const name of ['1', '2', '3', '4', '5', '6']) push('a', name);
  const counts: number[] = [];
  for (let turn = 0; turn < 3 * APART; turn += 1) {
    await loop.turn();
    counts.push(started.length);
  }
  expect(counts).toEqual([1, 1, 1, 4, 4, 4, 4, 6, 6, 6, 6, 6]);
  expect(started).toEqual(['1', '2', '3', '4', '5', '6']);
  expect(loop.isAwaited).toBe(false);
});

test('a push that comes soon after another waits as well', async () => {
  const { loop, started, push } = paced();
  push('a');
  await loop.turn();
  push('b');
  for (let turn = 0; turn < APART - 2; turn += 1) await loop.turn();
  expect(started).toEqual(['a']);
  await loop.turn();
  expect(started).toEqual(['a', 'b']);
});

test('connections take turns, however many pushes one of them has', async () => {
  const { loop, started, push } = paced();
  for (const name of ['a1', 'a2', 'a3', 'a4']) push('a', name);
  push('b', 'b1');
  push('c', 'c1');
  push('b', 'b2');
  while (loop.isAwaited) await loop.turn();
  // The first of a came when nobody waited.
  expect(started).toEqual(['a1', 'a2', 'b1', 'c1', 'a3', 'b2', 'a4']);
});

test('where turns are long, three start after 4 ms', async () => {
  const { loop, started, push } = paced();
  for (let count = 0; count < 20; count += 1) push('a');
  await loop.turn(3.9);
  expect(started).toHaveLength(1);
  await loop.turn(0.1);
  expect(started).toHaveLength(4);
  await loop.turn(1000);
  expect(started).toHaveLength(7);
  // Those of the turn before have caught up.
  await loop.turn();
  expect(started).toHaveLength(7);
});
