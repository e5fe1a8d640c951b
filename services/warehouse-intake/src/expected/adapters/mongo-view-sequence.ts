import { AppError } from '@parcelway/kernel/app-error';
import type { MongoDatabase } from '@parcelway/mongo/mongo-database';
import type { MongoServerTime } from '@parcelway/mongo/mongo-server-time';
import type { Model } from 'mongoose';
import { type ViewDocument, viewForecasts } from './mongo-view-schema.ts';

/** Every change that becomes visible later than this after its stamp has been stamped again. */
export const SETTLE_MS = 3000;
/** A stamp is good while its write takes no longer: the rest of the time is for estimates of the server's clock that differ. */
const CONFIRM_MS = SETTLE_MS / 2;
/** A server that is slow so many times in a row is out. */
const MAX_TRIES = 3;
const MICROSECONDS = 1000;

/** A place in the order of changes for a change that is about to be written. */
export interface ViewStamp {
  /** Epoch microseconds by the server's clock; rises from stamp to stamp of a process. */
  readonly at: number;
  /** By the clock of {@link performance}. */
  readonly takenAt: number;
}

/**
 * Gives changes their places in the order that polls follow, and new ones when a poll may have passed the place before the
 * change could be read: the forecast is then shown twice rather than never.
 */
export class ViewSequence {
  readonly #db: MongoDatabase;
  readonly #time: MongoServerTime;
  readonly #model: Model<ViewDocument>;
  #last = 0;

  /** @param db migrated with the service's collections */
  constructor(db: MongoDatabase, time: MongoServerTime) {
    this.#db = db;
    this.#time = time;
    this.#model = db.model(viewForecasts);
  }

  /** A stamp of now, the first of `count` that follow one another. @throws AppError 50301 */
  async take(count = 1): Promise<ViewStamp> {
    const at = Math.max(this.#last + 1, (await this.#time.now()) * MICROSECONDS);
    this.#last = at + count - 1;
    return { at, takenAt: performance.now() };
  }

  /** Every change that is not visible yet has a later stamp, or gets one. @throws AppError 50301 */
  async settled(): Promise<number> {
    return ((await this.#time.now()) - SETTLE_MS) * MICROSECONDS;
  }

  /** Call it when writes with the stamp and those that follow it have been acknowledged. Gives them new places if that took long. @throws AppError 50301 */
  async confirm(ids: readonly string[], { takenAt }: ViewStamp): Promise<void> {
    if (performance.now() - takenAt > CONFIRM_MS) await this.#stampAnew(ids);
  }

  /**
   * Call it for changes that were found written: whoever wrote them may not have lived to confirm them. A stamp that is young enough is seen in time.
   * @param found ids, each with its stamp
   */
  async renew(found: readonly (readonly [string, number])[]): Promise<void> {
    if (found.length === 0) return;
    const { at } = await this.take();
    const old = found.filter(([, stamp]) => at - stamp > CONFIRM_MS * MICROSECONDS);
    if (old.length > 0) await this.#stampAnew(old.map(([id]) => id));
  }

  async #stampAnew(ids: readonly string[]): Promise<void> {
    for (let tries = 0; tries < MAX_TRIES; tries += 1) {
      const { at, takenAt } = await this.take();
      // A write of a former try that arrives after this one must not move a forecast back.
      await this.#db.run(() => this.#model.collection.updateMany({ _id: { $in: ids } } as object, { $max: { stamp: at } }));
      if (performance.now() - takenAt <= CONFIRM_MS) return;
    }
    throw AppError.unavailable('The store is too slow to order changes; try again');
  }
}
