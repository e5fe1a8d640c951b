import { AppError } from '@parcelway/kernel/app-error';
import type { MongoDatabase } from './mongo-database.ts';

/** The server is asked again after this long: clocks drift apart by some milliseconds in it. */
const MEASURE_EVERY_MS = 60_000;
/** A response that took no longer is good enough. */
const GOOD_TRIP_MS = 100;
/** An estimate is wrong by half of the round trip at most; one of a longer trip is not used. */
const MAX_TRIP_MS = 1000;
/** Times that the server is asked for a good response. */
const MAX_TRIES = 5;

/**
 * Reads the time of the database's server, so that processes agree on one clock, however wrong their own are. The response of
 * the server is taken to be from the middle of the round trip, and what has passed since is measured by a clock that nobody
 * sets. After a change of primary it is the former one's clock for up to a minute.
 */
export class MongoServerTime {
  readonly #db: MongoDatabase;
  /** The server's time less that of {@link performance}; undefined until the first good response. */
  #offset: number | undefined;
  #measuredAt = Number.NEGATIVE_INFINITY;
  #measuring: Promise<void> | undefined;

  constructor(db: MongoDatabase) {
    this.#db = db;
  }

  /** Epoch milliseconds on the server. Once a minute it takes a round trip. @throws AppError 50301 */
  async now(): Promise<number> {
    if (performance.now() - this.#measuredAt > MEASURE_EVERY_MS) {
      this.#measuring ??= this.#measure().finally(() => {
        this.#measuring = undefined;
      });
      await this.#measuring;
    }
    if (this.#offset === undefined) throw AppError.unavailable('The store is too slow to read its time; try again');
    return Math.round(this.#offset + performance.now());
  }

  /** Takes the response that was quickest. When all took too long, what was measured before stays. */
  async #measure(): Promise<void> {
    let quickest = MAX_TRIP_MS;
    for (let tries = 0; tries < MAX_TRIES && quickest > GOOD_TRIP_MS; tries += 1) {
      const asked = performance.now();
      const serverTime = await this.#ask();
      const responded = performance.now();
      if (responded - asked >= quickest) continue;
      quickest = responded - asked;
      this.#offset = serverTime - (asked + responded) / 2;
    }
    if (this.#offset !== undefined) this.#measuredAt = performance.now();
  }

  async #ask(): Promise<number> {
    const { localTime } = await this.#db.run(
      async () => this.#db.connection.db?.command({ hello: 1 }) ?? Promise.reject(AppError.unavailable('The store is not connected')),
    );
    return (localTime as Date).getTime();
  }
}
