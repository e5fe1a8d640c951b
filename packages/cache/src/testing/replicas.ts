import { createLeasingRateLimiter } from '../leasing-rate-limiter.ts';
import { createMemoryRateLimiter } from '../memory-rate-limiter.ts';
import type { RateDecision, RateLimit, RateLimiter } from '../rate-limiter.ts';
import { MemoryTokenStore } from './memory-token-store.ts';
import { VirtualTime } from './virtual-time.ts';

/** Windows begin and end at multiples of this; milliseconds. */
const GRID_MS = 20;

/** Some requests of one key at one replica. */
export interface Load {
  readonly replica: number;
  /** Milliseconds; requests come at even distances. */
  readonly from: number;
  readonly to: number;
  readonly perSecond: number;
}

/** What became of one request. */
export interface Outcome {
  readonly at: number;
  readonly replica: number;
  readonly decision: RateDecision;
  /** What one exact bucket has decided on it. */
  readonly exact: RateDecision;
}

/** Replicas with one bucket, on a simulated clock, beside one exact bucket that gets the same requests. */
export class Replicas {
  readonly time = new VirtualTime();
  readonly store = new MemoryTokenStore({ now: () => Math.floor(this.time.now()) });
  readonly outcomes: Outcome[] = [];
  readonly limiters: readonly RateLimiter[];
  readonly #killed = new Set<number>();
  readonly #limit: RateLimit;
  readonly #exact = createMemoryRateLimiter({ clock: this.time, maxBuckets: 1 });

  /** @param latencyMs from a request to the store until its response */
  constructor(limit: RateLimit, replicas: number, latencyMs: number) {
    this.#limit = limit;
    this.limiters = Array.from({ length: replicas }, (_, index) => this.#limiter(index, latencyMs));
  }

  /** Plans the requests of a load. */
  plan({ replica, from, to, perSecond }: Load): void {
    const count = Math.floor(((to - from) * perSecond) / 1000);
    for (let index = 0; index < count; index += 1) this.time.after(from + (index * 1000) / perSecond, () => void this.request(replica));
  }

  /** Ends a replica: the store hears no more of it. */
  kill(replica: number): void {
    this.#killed.add(replica);
  }

  /** Makes a request now. */
  async request(replica: number): Promise<void> {
    const at = this.time.now();
    const exact = this.#exact.take('key', this.#limit);
    const decision = await (this.limiters[replica] as RateLimiter).take('key', this.#limit);
    this.outcomes.push({ at, replica, decision, exact });
  }

  /** By how many requests the replicas let through more than one percent above or below the exact bucket, in the worst window above a second. */
  excess(): number {
    const { perSecond, burst } = this.#limit;
    const sums = this.#differences();
    let worst = Number.NEGATIVE_INFINITY;
    for (let from = 0; from < sums.length; from += 1) {
      for (let to = from + 1000 / GRID_MS; to < sums.length; to += 1) {
        const allowance = (burst + (perSecond * (to - from) * GRID_MS) / 1000) / 100;
        worst = Math.max(worst, Math.abs((sums[to] as number) - (sums[from] as number)) - allowance);
      }
    }
    return worst;
  }

  /** By how many requests more than `burst + rate × time` pass in the worst window, however short. */
  overshoot(): number {
    const { perSecond, burst } = this.#limit;
    // The largest of `passed - refilled` between two points of time is the largest rise of their difference.
    let lowest = Number.POSITIVE_INFINITY;
    let worst = Number.NEGATIVE_INFINITY;
    const passed = this.outcomes.filter(({ decision }) => decision.allowed).toSorted((a, b) => a.at - b.at);
    for (const [index, { at }] of passed.entries()) {
      const before = index - (at * perSecond) / 1000;
      lowest = Math.min(lowest, before);
      worst = Math.max(worst, before + 1 - lowest - burst);
    }
    return worst;
  }

  /** How many more requests have passed than at the exact bucket, up to each point of the grid. */
  #differences(): number[] {
    const sums = new Array<number>(Math.ceil(this.time.now() / GRID_MS) + 1).fill(0);
    for (const { at, decision, exact } of this.outcomes) {
      const index = Math.floor(at / GRID_MS) + 1;
      sums[index] = (sums[index] ?? 0) + Number(decision.allowed) - Number(exact.allowed);
    }
    let sum = 0;
    return sums.map((difference) => {
      sum += difference;
      return sum;
    });
  }

  #limiter(replica: number, latencyMs: number): RateLimiter {
    const { time, store } = this;
    return createLeasingRateLimiter({
      store: {
        exchange: (name, limit, request) =>
          new Promise((resolve) => {
            time.after(latencyMs / 2, () => {
              if (this.#killed.has(replica)) return;
              const grant = store.exchange(name, limit, `replica${replica}`, request);
              time.after(latencyMs / 2, () => resolve(grant));
            });
          }),
      },
      local: createMemoryRateLimiter({ clock: time }),
      now: () => time.now(),
      after: (ms, run) => time.after(ms, run),
      maxBuckets: 10,
    });
  }
}
