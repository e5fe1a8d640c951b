import { AppError } from '@parcelway/kernel/app-error';
import type { MongoDatabase } from '@parcelway/mongo/mongo-database';
import type { MongoServerTime } from '@parcelway/mongo/mongo-server-time';
import type { mongo } from 'mongoose';
import { collectionOf } from '../../endpoints/adapters/mongo-access.ts';
import { type EventStream, streamOf } from '../domain/event-stream.ts';
import { type EventDocument, events, isTestEvent, STREAM_BEGINS } from './mongo-event-documents.ts';

/** The feed shows an event this long after its stamp. */
export const FEED_SETTLE_MS = 3000;
/** A stamp is good while its write takes no longer: the rest of the time is for estimates of the server's clock that differ. */
const CONFIRM_MS = FEED_SETTLE_MS / 2;
/** A server that is slow so many times in a row is out. */
const MAX_TRIES = 3;

/** A place in the feed for events that are about to be stored. */
export interface Stamp {
  /** Server time, epoch milliseconds; rises from stamp to stamp of a process. */
  readonly fedAt: number;
  /** By the clock of {@link performance}. */
  readonly takenAt: number;
}

const STREAMS: readonly EventStream[] = ['standard', 'opt_in'];

type Stamped = Pick<EventDocument, '_id' | 'type' | 'fed_at'>;

/**
 * Gives events their places in the feed, and new ones when a reader may have passed the place before the event was there: the
 * event is then read twice rather than never. See mongo-feed for the whole.
 */
export class FeedSequence {
  readonly #db: MongoDatabase;
  readonly #time: MongoServerTime;
  readonly #events: mongo.Collection<EventDocument>;
  #last = 0;

  constructor(db: MongoDatabase, time: MongoServerTime) {
    this.#db = db;
    this.#time = time;
    this.#events = collectionOf(db, events);
  }

  /** A stamp of now. @throws AppError 50301 */
  async take(): Promise<Stamp> {
    this.#last = Math.max(this.#last + 1, await this.#time.now());
    return { fedAt: this.#last, takenAt: performance.now() };
  }

  /** Call it when the insert of events with a stamp has been acknowledged. Gives them a new stamp if that took long. @throws AppError 50301 */
  async confirm(stored: readonly Stamped[], { takenAt }: Stamp): Promise<void> {
    if (performance.now() - takenAt > CONFIRM_MS) await this.#stampAnew(stored);
  }

  /**
   * Gives a new stamp to events that were found stored and may have been stored long after theirs, by a process that did not live
   * to see it. Those that are young enough are seen in time.
   * @param now a stamp taken after they were read
   * @throws AppError 50301
   */
  async renew(found: readonly Stamped[], now: Stamp): Promise<void> {
    const age = ({ type, fed_at }: Stamped): number => now.fedAt + STREAM_BEGINS[streamOf(type)] - fed_at;
    await this.#stampAnew(found.filter((event) => age(event) > CONFIRM_MS));
  }

  async #stampAnew(all: readonly Stamped[]): Promise<void> {
    const inFeed = all.filter((event) => !isTestEvent(event));
    if (inFeed.length === 0) return;
    for (let tries = 0; tries < MAX_TRIES; tries += 1) {
      const { fedAt, takenAt } = await this.take();
      // A write of a former try that arrives after this one must not move the events back.
      await Promise.all(STREAMS.map((stream) => this.#raise(stream, inFeed, fedAt)));
      if (performance.now() - takenAt <= CONFIRM_MS) return;
    }
    throw AppError.unavailable('The store is too slow to order events; try again');
  }

  async #raise(stream: EventStream, all: readonly Stamped[], fedAt: number): Promise<void> {
    const ids = all.flatMap(({ _id, type }) => (streamOf(type) === stream ? _id : []));
    if (ids.length === 0) return;
    await this.#db.run(() => this.#events.updateMany({ _id: { $in: ids } }, { $max: { fed_at: STREAM_BEGINS[stream] + fedAt } }));
  }
}
