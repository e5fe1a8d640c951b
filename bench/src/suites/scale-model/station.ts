import type { Random } from './random.ts';

/** How a stage works: `groups` replicas (shards, brokers), each with `lanes` cores that take what waits for the replica, in order. */
export interface StationOptions {
  readonly name: string;
  readonly groups: number;
  readonly lanes: number;
  /** Share of a core that is free for work. */
  readonly free: number;
  /** Partitions, which are divided among the groups once, for events that are consumed; any group may do the other work. */
  readonly partitions: number;
}

/** What was seen at a stage. */
export interface StationSeen {
  readonly name: string;
  readonly groups: number;
  readonly visits: number;
  /** Share of the time of all lanes in which they worked. */
  readonly utilisation: number;
  /** Work that waited at once for one group, at most. */
  readonly longestQueue: number;
  /** Milliseconds: 95 of 100 waited no longer, in all of the time and in the bursts. */
  readonly p95: number;
  readonly p95InBursts: number;
}

const BINS = 400;
/** Each bin of waiting times is wider by this factor than the one before; the first ends at a microsecond. */
const RATIO = 1.06;
const FIRST_SECONDS = 1e-6;
const binOf = (seconds: number): number =>
  seconds <= FIRST_SECONDS ? 0 : Math.min(BINS - 1, 1 + Math.floor(Math.log(seconds / FIRST_SECONDS) / Math.log(RATIO)));

/** Upper end of the bin below which so many per cent of the counted times lie, milliseconds; 0 for nothing. */
function percentileOf(bins: Float64Array, percent: number): number {
  const total = bins.reduce((sum, count) => sum + count, 0);
  let seen = 0;
  for (let bin = 0; bin < BINS; bin += 1) {
    seen += bins[bin] as number;
    if (total > 0 && seen >= (total * percent) / 100) return bin === 0 ? 0 : FIRST_SECONDS * RATIO ** bin * 1000;
  }
  return 0;
}

/** So many instants that have passed are kept before they are removed together. */
const KEPT_PASSED = 10_000;

/** Instants at which what waits begins to be served, first in first out. */
class Waiting {
  #starts: number[] = [];
  #head = 0;

  /** How many wait at `now`, with one more that begins at `start`. */
  add(now: number, start: number): number {
    while (this.#head < this.#starts.length && (this.#starts[this.#head] as number) <= now) this.#head += 1;
    if (this.#head > KEPT_PASSED) {
      this.#starts = this.#starts.slice(this.#head);
      this.#head = 0;
    }
    if (start > now) this.#starts.push(start);
    return this.#starts.length - this.#head;
  }
}

/** A stage that pieces of work pass, each served by one lane, in the order of their arrival. */
export class Station {
  readonly #options: StationOptions;
  readonly #random: Random;
  /** Instant at which each lane has done all that it was given. */
  readonly #freeAt: Float64Array;
  readonly #waiting: readonly Waiting[];
  readonly #all = new Float64Array(BINS);
  readonly #inBursts = new Float64Array(BINS);
  #visits = 0;
  #worked = 0;
  #longest = 0;

  constructor(options: StationOptions, random: Random) {
    this.#options = options;
    this.#random = random;
    this.#freeAt = new Float64Array(options.groups * options.lanes);
    this.#waiting = Array.from({ length: options.groups }, () => new Waiting());
  }

  /**
   * Takes a piece of work in. Calls have to come in the order of time.
   * @param now seconds
   * @param work core seconds
   * @param isConsumed see {@link StationOptions.partitions}
   * @returns the instant at which it is done
   */
  take(now: number, work: number, isBurst: boolean, isConsumed: boolean): number {
    const { groups, lanes, free, partitions } = this.#options;
    const group = isConsumed ? Math.floor(this.#random() * partitions) % groups : Math.floor(this.#random() * groups);
    let lane = group * lanes;
    for (let other = lane + 1; other < (group + 1) * lanes; other += 1) {
      if ((this.#freeAt[other] as number) < (this.#freeAt[lane] as number)) lane = other;
    }
    const start = Math.max(now, this.#freeAt[lane] as number);
    const seconds = work / free;
    this.#freeAt[lane] = start + seconds;
    this.#visits += 1;
    this.#worked += seconds;
    this.#longest = Math.max(this.#longest, (this.#waiting[group] as Waiting).add(now, start));
    const bins = isBurst ? this.#inBursts : this.#all;
    const bin = binOf(start - now);
    bins[bin] = (bins[bin] as number) + 1;
    return start + seconds;
  }

  /** What was seen within `seconds`. */
  seen(seconds: number): StationSeen {
    const { name, groups, lanes } = this.#options;
    const both = this.#all.map((count, bin) => count + (this.#inBursts[bin] as number));
    return {
      name,
      groups,
      visits: this.#visits,
      utilisation: this.#worked / (seconds * groups * lanes),
      longestQueue: this.#longest,
      p95: percentileOf(both, 95),
      p95InBursts: percentileOf(this.#inBursts, 95),
    };
  }
}
