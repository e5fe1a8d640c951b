/** Source of the time. Domain code takes instants as arguments; adapters and use cases take a Clock. */
export interface Clock {
  /** Milliseconds since the Unix epoch. */
  now(): number;
}

/** The machine's clock. */
export const systemClock: Clock = { now: () => Date.now() };

/** A clock that stands still until it is moved; for tests and simulations. */
export class ManualClock implements Clock {
  #now: number;
  constructor(start: number) {
    this.#now = start;
  }
  now(): number {
    return this.#now;
  }
  /** Moves the clock forward by `ms` milliseconds. */
  advance(ms: number): void {
    this.#now += ms;
  }
}

/** An instant as ISO 8601 in UTC with the offset written `+00:00`, for API fields. `ms`: epoch milliseconds. */
export function isoInstant(ms: number): string {
  return new Date(ms).toISOString().replace('Z', '+00:00');
}
