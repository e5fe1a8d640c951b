import { AppError } from '@parcelway/kernel/app-error';
import type { MongoDatabase } from '@parcelway/mongo/mongo-database';

/** The server is asked again after this long: clocks drift apart by some milliseconds in it. */
const MEASURE_EVERY_MS = 60_000;

/**
 * Tells the time of the database's server, so that processes agree on one clock, however wrong their own are. The answer of
 * the server is taken to be from the middle of the round trip, and what has passed since is measured by a clock that nobody
 * sets. After a change of primary it is the former one's clock for up to a minute.
 */
export class MongoServerTime {
  readonly #db: MongoDatabase;
  /** The server's time less that of {@link performance}. */
  #offset = 0;
  #measuredAt = Number.NEGATIVE_INFINITY;

  constructor(db: MongoDatabase) {
    this.#db = db;
  }

  /** Epoch milliseconds on the server. Once a minute it takes a round trip. @throws AppError 50301 */
  async now(): Promise<number> {
    if (performance.now() - this.#measuredAt > MEASURE_EVERY_MS) await this.#measure();
    return Math.round(this.#offset + performance.now());
  }

  async #measure(): Promise<void> {
    const asked = performance.now();
    const { localTime } = await this.#db.run(
      async () => this.#db.connection.db?.command({ hello: 1 }) ?? Promise.reject(AppError.unavailable('The store is not connected')),
    );
    const answered = performance.now();
    this.#offset = (localTime as Date).getTime() - (asked + answered) / 2;
    this.#measuredAt = answered;
  }
}
