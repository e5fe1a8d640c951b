import type { Assumptions } from './assumptions.ts';
import { EventQueue } from './event-queue.ts';
import { type ProcessName, processes } from './inputs.ts';
import type { Stream } from './load.ts';
import { exponential, type Random, seeded } from './random.ts';
import { routes, type Visit, visitsOf } from './routes.ts';
import { Station, type StationOptions, type StationSeen } from './station.ts';

/** What is simulated. */
export interface Simulation {
  readonly streams: readonly Stream[];
  /** By the process whose work the stage does. */
  readonly stages: ReadonlyMap<ProcessName, StationOptions>;
  readonly plan: Pick<Assumptions, 'burstFactor' | 'burstSeconds' | 'burstEverySeconds'>;
  readonly seconds: number;
  /** A whole number: the same seed gives the same run. */
  readonly seed: number;
}

/** A relay gathers for up to 30 ms, and a consumer's fetch for up to 35 ms (decision 26). */
const LOG_SECONDS = 0.065;
const LOG: ProcessName = 'kafka-1';

/** A visit with its place in a list of all, its work, and those that follow. */
interface Step {
  readonly station: Station;
  /** Core seconds, on average. */
  readonly work: number;
  readonly next: readonly number[];
  readonly isLog: boolean;
  readonly isConsumed: boolean;
}

/** A stream that arrives. */
interface Source {
  readonly perSecond: number;
  readonly together: number;
  readonly first: number;
}

/** Steps of a way, behind those that there are. A visit has an equal part of what its stream costs at its process. */
function addSteps(steps: Step[], { name, cost }: Stream, stations: ReadonlyMap<ProcessName, Station>): number {
  const { first } = routes[name];
  const visits = visitsOf(first);
  const from = steps.length;
  const places = new Map(visits.map(({ visit }, index) => [visit, from + index]));
  for (const { visit, isConsumed } of visits) {
    const { process, next } = visit;
    const times = visits.filter((other) => other.visit.process === process).length;
    steps.push({
      station: stations.get(process) as Station,
      work: cost[process] / 1e6 / times,
      next: next.map((following: Visit) => places.get(following) as number),
      isLog: process === LOG,
      isConsumed,
    });
  }
  return from;
}

/** True while a burst lasts: the first begins half a period after the start. */
function isBurstAt(time: number, { burstSeconds, burstEverySeconds }: Simulation['plan']): boolean {
  return (time + burstEverySeconds / 2) % burstEverySeconds < burstSeconds;
}

/** When the next arrives after `now`: independent of the one before, at the rate of that time. */
function nextArrival(now: number, perSecond: number, plan: Simulation['plan'], random: Random): number {
  // An interval at the highest rate, of which a share is passed over while there is no burst.
  for (let time = now; ; ) {
    time += exponential(random, perSecond * plan.burstFactor);
    if (isBurstAt(time, plan) || random() * plan.burstFactor < 1) return time;
  }
}

/**
 * Plays the peak hour with its bursts, event by event: arrivals, next service after service, store and log to the webhook.
 * @throws RangeError when a stage is missing
 */
export function simulate({ streams, stages, plan, seconds, seed }: Simulation): readonly StationSeen[] {
  const random = seeded(seed);
  const stations = new Map<ProcessName, Station>();
  for (const process of processes) {
    const options = stages.get(process);
    if (options === undefined) throw new RangeError(`There is no stage for ${process}`);
    stations.set(process, new Station(options, random));
  }
  const steps: Step[] = [];
  const sources = streams.map((stream): Source => {
    const { together } = routes[stream.name];
    return { perSecond: stream.perSecond / together, together, first: addSteps(steps, stream, stations) };
  });
  const queue = new EventQueue();
  // Arrivals of the sources are the kinds below zero.
  for (const [index, { perSecond }] of sources.entries())
    if (perSecond > 0) queue.push(nextArrival(0, perSecond, plan, random), -1 - index);
  while (queue.size > 0 && queue.nextTime < seconds) {
    const now = queue.nextTime;
    const kind = queue.pop();
    if (kind < 0) {
      const { perSecond, together, first } = sources[-1 - kind] as Source;
      for (let piece = 0; piece < together; piece += 1) queue.push(now, first);
      queue.push(nextArrival(now, perSecond, plan, random), kind);
      continue;
    }
    const { station, work, next, isLog, isConsumed } = steps[kind] as Step;
    const done = station.take(now, work === 0 ? 0 : exponential(random, 1 / work), isBurstAt(now, plan), isConsumed);
    for (const step of next) queue.push(isLog ? done + random() * LOG_SECONDS : done, step);
  }
  return [...stations.values()].map((station) => station.seen(seconds));
}
