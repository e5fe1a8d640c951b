import { setTimeout as pause } from 'node:timers/promises';
import { AppError } from '@parcelway/kernel/app-error';
import { racePauseMs } from '@parcelway/kernel/optimistic-write';
import type { MongoDatabase } from '@parcelway/mongo/mongo-database';
import type { MongoServerTime } from '@parcelway/mongo/mongo-server-time';
import type { AcceptedDelivery, EventIntake } from '../ports.ts';
import { EventWriter, type IntakeEntry, parcelOf } from './mongo-event-writer.ts';

/** Events in one batch, at most. */
const MAX_BATCH = 128;
/** Events that wait for a batch, at most; the log hands out some dozens at a time. */
const MAX_WAITING = 5000;
/** Times that others may be quicker with a parcel's next number. */
const MAX_TRIES = 25;

interface WaitingEntry extends IntakeEntry {
  tries: number;
  readonly resolve: (made: readonly AcceptedDelivery[]) => void;
  readonly reject: (error: unknown) => void;
}

/** What no two events of a batch may share: the parcel, whose numbers follow each other. */
function lineOf({ event }: IntakeEntry): string {
  const parcel = parcelOf(event);
  return parcel === undefined ? `event ${event.tenantId} ${event.eventId}` : `parcel ${parcel}`;
}

/**
 * Takes events in, in MongoDB. What comes while one batch is being written goes together into the next, so that a busy
 * process spends four round trips on a hundred events. See mongo-event-writer for crashes and races.
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

  accept: EventIntake['accept'] = (event, now, plan) =>
    new Promise((resolve, reject) => {
      if (this.#waiting.length >= MAX_WAITING) {
        reject(AppError.unavailable('Too many events are waiting to be stored; try again'));
        return;
      }
      this.#waiting.push({ event, now, plan, tries: 0, resolve, reject });
      this.#run();
    });

  #run(): void {
    this.#work ??= this.#loop().finally(() => {
      this.#work = undefined;
      if (this.#waiting.length > 0) this.#run();
    });
  }

  async #loop(): Promise<void> {
    // A turn of the event loop later the events that arrived together are here together.
    await new Promise((resolve) => setImmediate(resolve));
    while (this.#waiting.length > 0) await this.#write(this.#takeBatch());
  }

  /** The first event of each parcel, in the order of their coming. */
  #takeBatch(): WaitingEntry[] {
    const lines = new Set<string>();
    const batch: WaitingEntry[] = [];
    const rest: WaitingEntry[] = [];
    for (const entry of this.#waiting) {
      const line = lineOf(entry);
      const isNext = batch.length < MAX_BATCH && !lines.has(line);
      lines.add(line);
      (isNext ? batch : rest).push(entry);
    }
    this.#waiting = rest;
    return batch;
  }

  async #write(batch: readonly WaitingEntry[]): Promise<void> {
    try {
      const outcomes = await this.#writer.write(batch);
      const lost: WaitingEntry[] = [];
      batch.forEach((entry, place) => {
        const outcome = outcomes[place];
        if (outcome === undefined) lost.push(entry);
        else if ('error' in outcome) entry.reject(outcome.error);
        else entry.resolve(outcome.made);
      });
      if (lost.length > 0) await this.#tryAgain(lost);
    } catch (error) {
      for (const entry of batch) entry.reject(error);
    }
  }

  /** Puts events that lost a race in front again. */
  async #tryAgain(lost: readonly WaitingEntry[]): Promise<void> {
    const again = lost.filter((entry) => {
      entry.tries += 1;
      if (entry.tries < MAX_TRIES) return true;
      entry.reject(AppError.unavailable('Too many events of one parcel at the same time; try again'));
      return false;
    });
    this.#waiting.unshift(...again);
    await pause(racePauseMs(Math.max(...lost.map(({ tries }) => tries))));
  }
}
