import { setTimeout as pause } from 'node:timers/promises';
import { AppError } from '@parcelway/kernel/app-error';
import { consumerActionOf } from '@parcelway/kernel/error-codes';
import { racePauseMs } from '@parcelway/kernel/optimistic-write';
import type { IntakeEntry } from './domain/decide-intake.ts';
import { parcelText } from './domain/event-stream.ts';
import type { EventWriter, IntakeOutcome } from './event-writer.ts';
import type { GrowingPace } from './growing-pace.ts';
import type { UnstoredDeliveries } from './unstored-deliveries.ts';

/** Events in one batch, at most. */
const MAX_BATCH = 200;
/** Events that wait for a batch, at most: a full batch of the log from each of a hundred partitions. */
const MAX_WAITING = 20_000;
/** Times that others may be quicker with a parcel's next number. */
const MAX_TRIES = 25;

interface WaitingEntry {
  readonly entry: IntakeEntry;
  readonly now: number;
  readonly isReplayed: boolean;
  tries: number;
  readonly resolve: (outcome: IntakeOutcome) => void;
}

/**
 * Stores events in batches. Events that arrive during a write share the next batch. A batch has at most one event of a
 * parcel, so that the events of a parcel are stored in the order of their arrival. Other readers see only events that survive a loss of power. See
 * event-writer for crashes and races.
 */
export class StoreIntake {
  readonly #writer: EventWriter;
  readonly #unstored: UnstoredDeliveries;
  readonly #pace: GrowingPace;
  #waiting: WaitingEntry[] = [];
  /** This many of the waiting events are written one by one, because the store has refused them together. */
  #singles = 0;
  #work: Promise<void> | undefined;

  /** @param unstored takes deliveries that are stored with their outcome */
  constructor(writer: EventWriter, unstored: UnstoredDeliveries, pace: GrowingPace) {
    this.#writer = writer;
    this.#unstored = unstored;
    this.#pace = pace;
  }

  /** Resolves when the next events of the log are to be accepted: those that come until then share a batch. */
  untilNext(): Promise<void> {
    return this.#pace.turn();
  }

  /** Resolves once all that was accepted survives a loss of power. @throws AppError 50301 when the store is out */
  async settled(): Promise<void> {
    await this.#unstored.settled();
    await this.#writer.settled();
  }

  /**
   * Reads what is known of the events, decides them (./domain/decide-intake.ts) and stores the decision. An event that is stored already
   * changes nothing, except that deliveries are inserted which a crash has kept from being inserted with it. One event that cannot be
   * stored does not keep the others from being stored.
   * @param now epoch milliseconds
   * @param isReplayed true when the events come again unless {@link settled} has resolved: then they need not wait for the disk
   * @returns an outcome for each event, in their order
   */
  async accept(entries: readonly IntakeEntry[], now: number, isReplayed = false): Promise<readonly IntakeOutcome[]> {
    if (this.#waiting.length + entries.length > MAX_WAITING) {
      throw AppError.unavailable('Too many events are waiting to be stored; try again');
    }
    const outcomes = entries.map(
      (entry) => new Promise<IntakeOutcome>((resolve) => this.#waiting.push({ entry, now, isReplayed, tries: 0, resolve })),
    );
    this.#run();
    return Promise.all(outcomes);
  }

  #run(): void {
    this.#work ??= this.#loop().finally(() => {
      this.#work = undefined;
      if (this.#waiting.length > 0) this.#run();
    });
  }

  async #loop(): Promise<void> {
    // A turn of the event loop later the events that arrived together are here together.
    await new Promise((resolve) => setImmediate(resolve));
    while (this.#waiting.length > 0) {
      const batch = this.#takeBatch();
      this.#pace.begun(batch.length);
      await this.#write(batch);
    }
  }

  #takeBatch(): WaitingEntry[] {
    const most = this.#singles > 0 ? 1 : MAX_BATCH;
    this.#singles = Math.max(0, this.#singles - 1);
    const batch: WaitingEntry[] = [];
    const later: WaitingEntry[] = [];
    const parcels = new Set<string>();
    for (const [place, one] of this.#waiting.entries()) {
      if (batch.length === most) {
        later.push(...this.#waiting.slice(place));
        break;
      }
      const { parcel } = one.entry.event;
      const name = parcel && parcelText(parcel);
      if (name !== null && parcels.has(name)) later.push(one);
      else batch.push(one);
      if (name !== null) parcels.add(name);
    }
    this.#waiting = later;
    return batch;
  }

  async #write(batch: readonly WaitingEntry[]): Promise<void> {
    try {
      const now = Math.max(...batch.map((one) => one.now));
      const outcomes = await this.#writer.write(
        batch.map(({ entry, isReplayed, tries }) => ({ entry, isReplayed, isAgain: tries > 0 })),
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
      this.#fail(batch, error);
    }
  }

  /** An event that the store refuses does not stop the others. When the store is out, all come again. */
  #fail(batch: readonly WaitingEntry[], error: unknown): void {
    const [first] = batch;
    if (error instanceof AppError && consumerActionOf[error.code] === 'retry') this.#refuseAll(batch, error);
    else if (batch.length === 1) first?.resolve({ error });
    else {
      this.#waiting.unshift(...batch);
      this.#singles = batch.length;
    }
  }

  /** Puts events that lost a race in front again. */
  async #tryAgain(lost: readonly WaitingEntry[]): Promise<void> {
    for (const one of lost) one.tries += 1;
    const tries = Math.max(...lost.map((one) => one.tries));
    if (tries >= MAX_TRIES) {
      this.#refuseAll(lost, AppError.unavailable('Too many events of one parcel at the same time; try again'));
      return;
    }
    this.#waiting.unshift(...lost);
    // One that came before is found stored at the second look.
    if (tries > 1) await pause(racePauseMs(tries));
  }

  /** Refuses events and all that wait behind them: a later event of the same parcel must not be stored before an earlier one. */
  #refuseAll(entries: readonly WaitingEntry[], error: AppError): void {
    this.#singles = 0;
    for (const { resolve } of [...entries, ...this.#waiting.splice(0)]) resolve({ error });
  }
}
