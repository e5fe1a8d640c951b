import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { GatheredWakes } from './gathered-wakes.ts';

let woken: string[];
let wakes: GatheredWakes;
const worker = (name: string) => ({ wake: () => void woken.push(name) });
const [first, second] = [worker('first'), worker('second')];

beforeEach(() => {
  jest.useFakeTimers();
  woken = [];
  wakes = new GatheredWakes();
});
afterEach(() => {
  jest.useRealTimers();
});

test('a worker is woken at once after a rest, and each once with the others 250 ms after that', () => {
  wakes.wake(first);
  jest.advanceTimersByTime(1);
  expect(woken).toEqual(['first']);
  for (const one of [second, first, second]) wakes.wake(one);
  jest.advanceTimersByTime(248);
  expect(woken).toEqual(['first']);
  jest.advanceTimersByTime(1);
  expect(woken).toEqual(['first', 'second', 'first']);
  jest.advanceTimersByTime(250);
  wakes.wake(second);
  jest.advanceTimersByTime(1);
  expect(woken).toEqual(['first', 'second', 'first', 'second']);
});

test('nobody is woken any more after a stop', () => {
  wakes.wake(first);
  wakes.stop();
  wakes.wake(second);
  jest.advanceTimersByTime(500);
  expect(woken).toEqual([]);
});
