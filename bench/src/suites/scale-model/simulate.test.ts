import { describe, expect, test } from '@jest/globals';
import { EventQueue } from './event-queue.ts';
import { type ProcessName, processes, type Vector } from './inputs.ts';
import type { Stream } from './load.ts';
import { exponential, seeded } from './random.ts';
import { routes, visitsOf } from './routes.ts';
import { simulate } from './simulate.ts';
import { Station, type StationOptions } from './station.ts';

const vector = (parts: Partial<Vector>): Vector => Object.fromEntries(processes.map((process) => [process, parts[process] ?? 0])) as Vector;
const stages = (parts: Partial<Record<ProcessName, Partial<StationOptions>>>): ReadonlyMap<ProcessName, StationOptions> =>
  new Map(processes.map((process) => [process, { name: process, groups: 1, lanes: 1, free: 1, partitions: 12, ...parts[process] }]));
const pushes = (perSecond: number, cost: Vector): Stream => ({ name: 'pushSame', perSecond, perDay: 0, cost, reads: 0, writes: 0 });
const calm = { burstFactor: 1, burstSeconds: 1, burstEverySeconds: 1000 };

test('events come in the order of their times', () => {
  const random = seeded(1);
  const times = Array.from({ length: 3000 }, () => random());
  const queue = new EventQueue();
  for (const [index, time] of times.entries()) queue.push(time, index);
  const inOrder = Array.from({ length: times.length }, () => times[queue.pop()] as number);
  expect(inOrder).toEqual([...times].sort((a, b) => a - b));
  expect(() => queue.pop()).toThrow('no event');
});

test('a station has the waiting times that theory gives for one server with independent arrivals', () => {
  const random = seeded(2);
  const station = new Station({ name: 'one', groups: 1, lanes: 1, free: 1, partitions: 12 }, random);
  // 70 % busy, 1 ms of work each: P(wait > t) = 0.7 e^(-0.3 t), which is 5 % at 8.8 ms.
  let now = 0;
  for (let visit = 0; visit < 40_000; visit += 1) {
    now += exponential(random, 700);
    station.take(now, exponential(random, 1000), false, false);
  }
  const { p95, utilisation, visits } = station.seen(now);
  expect(visits).toBe(40_000);
  expect(utilisation).toBeCloseTo(0.7, 1);
  expect(p95 / (Math.log(0.7 / 0.05) / 0.3)).toBeGreaterThan(0.9);
  expect(p95 / (Math.log(0.7 / 0.05) / 0.3)).toBeLessThan(1.15);
});

test('a station counts what waits for one replica at once, and lets lanes share it', () => {
  const at = (lanes: number) => {
    const station = new Station({ name: 'some', groups: 1, lanes, free: 0.5, partitions: 12 }, seeded(3));
    const done = Array.from({ length: 4 }, () => station.take(0, 1, true, false));
    return { done, longest: station.seen(8).longestQueue };
  };
  expect(at(1)).toEqual({ done: [2, 4, 6, 8], longest: 3 });
  expect(at(2)).toEqual({ done: [2, 2, 4, 4], longest: 2 });
});

describe('the simulation', () => {
  const cost = vector({ gateway: 500, tracking: 4000, 'mongo-1': 1000 });
  const run = (seed: number, groups: number, plan = calm, seconds = 60) =>
    simulate({ streams: [pushes(200, cost)], stages: stages({ tracking: { groups } }), plan, seconds, seed });
  const seenAt = (seen: ReturnType<typeof run>, name: string) => seen.find((station) => station.name === name) as ReturnType<typeof run>[0];

  test('is the same for the same seed, and another for another', () => {
    expect(run(4, 2, calm, 5)).toEqual(run(4, 2, calm, 5));
    expect(run(4, 2, calm, 5)).not.toEqual(run(5, 2, calm, 5));
  });

  test('has each stage as busy as its work says', () => {
    const seen = run(6, 2);
    expect(seenAt(seen, 'tracking').utilisation).toBeCloseTo(0.4, 1);
    expect(seenAt(seen, 'gateway').utilisation).toBeCloseTo(0.1, 1);
    expect(seenAt(seen, 'webhook').visits).toBe(0);
  });

  test('shows the queue of a burst where one replica is missing', () => {
    const bursts = { burstFactor: 2, burstSeconds: 20, burstEverySeconds: 60 };
    // 0.8 cores in the peak hour and 1.6 in a burst of 20 s: two replicas pass it; with one, 12 s of work wait at its end.
    const [two, one] = [run(7, 2, bursts, 60), run(7, 1, bursts, 60)].map((seen) => seenAt(seen, 'tracking'));
    expect(two?.p95InBursts).toBeLessThan(100);
    expect(one?.p95InBursts).toBeGreaterThan(5_000);
    expect(one?.longestQueue).toBeGreaterThan(1500);
  });

  test('refuses to leave a stage out', () => {
    const incomplete = new Map([...stages({})].filter(([process]) => process !== 'redis'));
    expect(() => simulate({ streams: [], stages: incomplete, plan: calm, seconds: 1, seed: 1 })).toThrow('no stage for redis');
  });
});

test('events that are consumed go to the replica that has their partition', () => {
  // Of three replicas and two partitions one consumes nothing: the others have half of the events each.
  const station = new Station({ name: 'some', groups: 3, lanes: 1, free: 1, partitions: 2 }, seeded(8));
  for (let visit = 0; visit < 3000; visit += 1) station.take(0, 0.001, false, true);
  const { longestQueue, visits } = station.seen(3);
  expect(visits).toBe(3000);
  expect(longestQueue).toBeGreaterThan(1400);
  expect(longestQueue).toBeLessThan(1600);
});

test('pieces of one call arrive together, and every way begins at the gateway, the log or a service', () => {
  expect(routes.eventInBatch.together).toBe(100);
  for (const { first } of Object.values(routes)) expect(['gateway', 'kafka-1', 'tracking']).toContain(first.process);
  expect(visitsOf(routes.pushSame.first).map(({ visit }) => visit.process)).toEqual(['gateway', 'tracking', 'mongo-1']);
});
