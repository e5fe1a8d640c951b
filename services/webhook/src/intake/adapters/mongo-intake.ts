import { setTimeout as pause } from 'node:timers/promises';
import { AppError } from '@parcelway/kernel/app-error';
import { racePauseMs } from '@parcelway/kernel/optimistic-write';
import type { MongoDatabase } from '@parcelway/mongo/mongo-database';
import type { MongoServerTime } from '@parcelway/mongo/mongo-server-time';
import type { IntakeEntry } from '../domain/decide-intake.ts';
import type { EventIntake, IntakeOutcome } from '../ports.ts';
import { EventWriter } from './mongo-event-writer.ts';

/** Events in one batch, at most. */
const MAX_BATCH = 200;
/** Events that wait for a batch, at most: a full batch of the log from each of a hundred partitions. */
const MAX_WAITING = 20_000;
/** Times that others may be quicker with a parcel's next number. */
const MAX_TRIES = 25;

interface WaitingEntry {
  readonly entry: IntakeEntry;
  readonly now: number;
  tries: number;
  readonly resolve: (outcome: IntakeOutcome) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * The intake in MongoDB. What comes while one batch is being written goes together into the next, so that a busy
 * process spends four round trips on some hundred events of all partitions. See mongo-event-writer for crashes and races.
 */
export class MongoIntake implements EventIntake {
  readonly #writer: EventWriter;
  #waiting: WaitingEntry[] = [];
  #work: Promise<void> | undefined;

  /** @param owner name of this process in the leases */
  constructor(db: MongoDatabase, owner: string, time: MongoServerTime) {
    this.#writer = new EventWriter(db, owner, time);
  }

  /** Whatever was accepted is on the disks of most members already. */
  settled: EventIntake['settled'] = () => Promise.resolve();

  accept: EventIntake['accept'] = async (entries, now) => {
    if (this.#waiting.length + entries.length > MAX_WAITING) {
      throw AppError.unavailable('Too many events are waiting to be stored; try again');
    }
    const outcomes = entries.map(
      (entry) => new Promise<IntakeOutcome>((resolve, reject) => this.#waiting.push({ entry, now, tries: 0, resolve, reject })),
    );
    this.#run();
    return Promise.all(outcomes);
  };

  #run(): void {
    this.#work ??= this.#loop().finally(() => {
      this.#work = undefined;
      if (this.#waiting.length > 0) this.#run();
    });
  }

  async #loop(): Promise<void> {
    // A turn of the event loop later the events that arrived together are here together.
    await new Promise((resolve) => setImmediate(resolve));
    while (this.#waiting.length > 0) await this.#write(this.#waiting.splice(0, MAX_BATCH));
  }

  async #write(batch: readonly WaitingEntry[]): Promise<void> {
    try {
      const now = Math.max(...batch.map((one) => one.now));
      const outcomes = await this.#writer.write(
        batch.map(({ entry }) => entry),
        now,
      );
      const lost: WaitingEntry[] = [];
      batch.forEach((one, place) => {
        const outcome = outcomes[place];
        if (outcome === undefined) lost.push(one);
        else one.resolve(outcome);
      });
      if (lost.length > 0) await this.#tryAgain(lost);
    } catch (error) {
      for (const { reject } of batch) reject(error);
    }
  }

  /** Puts events that lost a race in front again. */
  async #tryAgain(lost: readonly WaitingEntry[]): Promise<void> {
    const again = lost.filter((one) => {
      one.tries += 1;
      if (one.tries < MAX_TRIES) return true;
      one.resolve({ error: AppError.unavailable('Too many events of one parcel at the same time; try again') });
      return false;
    });
    this.#waiting.unshift(...again);
    await pause(racePauseMs(Math.max(...lost.map(({ tries }) => tries))));
  }
}
