import type { Clock } from '@parcelway/kernel/clock';
import { type IntakeEvent, scannedNumberOf } from '../domain/event.ts';
import { type BatchEvent, matchBatch } from '../domain/match-batch.ts';
import type { WaitingNumber } from '../domain/resolution.ts';
import type { MongoDirectory } from './mongo-directory.ts';
import type { NamedNumber } from './mongo-directory-updates.ts';
import type { MongoEventLog, StoredEvent, WaitingChange } from './mongo-event-log.ts';
import type { EventScope } from './mongo-event-scope.ts';
import { type Consequences, consequencesOf, messageOf, publicationUpdate, publishedFields } from './mongo-published-event.ts';
import type { EventDocument } from './mongo-schema.ts';
import type { WriteTimes } from './mongo-write-times.ts';

/** Waiting events that are matched again in one step. */
const SETTLE_BATCH = 500;

/** An event that may wait, as far as a match needs it. */
type Matchable = Pick<EventDocument, '_id' | 'event' | 'waiting' | 'published_to'>;

function toBatchEvent(
  { event: text, waiting, published_to: publishedTo }: Matchable,
  named: readonly NamedNumber[],
  claim?: Claim,
): BatchEvent {
  const event = JSON.parse(text) as IntakeEvent;
  if (claim !== undefined) return { event, publishedTo, resolvedTo: claim.forecastNo };
  if (waiting !== 'ambiguous' || event.forecastNo !== null) return { event, publishedTo };
  const scanned = scannedNumberOf(event);
  const resolution = named.find(({ warehouseCode, number }) => warehouseCode === event.warehouseCode && number === scanned);
  return { event, publishedTo, resolvedTo: resolution?.forecastNo };
}

/** A claim that is carried out. */
export interface Claim {
  /** Id of the resolution. */
  readonly id: string;
  readonly forecastNo: string;
  /** False once it has been carried out to its end. */
  readonly isOpen: () => Promise<boolean>;
}

/** What matching events again has done. */
interface Publications {
  readonly published: number;
  /** Those that change something in the directory, as they are stored. */
  readonly unfinished: readonly StoredEvent[];
}

/**
 * Matches waiting events again and takes the steps that remain of stored events. Safe to repeat, and to be done by
 * several processes at once: see MongoIntakeStore.
 */
export class MongoSettlement {
  readonly #log: MongoEventLog;
  readonly #directory: MongoDirectory;
  readonly #clock: Clock;
  readonly #times: WriteTimes;

  constructor(log: MongoEventLog, directory: MongoDirectory, clock: Clock, times: WriteTimes) {
    this.#log = log;
    this.#directory = directory;
    this.#clock = clock;
    this.#times = times;
  }

  /**
   * Matches the waiting events of a scope again, in the order in which they occurred.
   * @param traceparent of what makes that necessary
   * @param named whose parcels numbers are on: ambiguous events under them go there
   * @returns how many events were published
   */
  async settle(scope: EventScope, traceparent: string | undefined, named: readonly NamedNumber[] = []): Promise<number> {
    let total = 0;
    for (let last: Parameters<MongoEventLog['waiting']>[1]; ; ) {
      const waiting = await this.#log.waiting(scope, last, SETTLE_BATCH);
      if (waiting.length === 0) return total;
      const { published, unfinished } = await this.#publish(waiting, traceparent, named);
      total += published + (await this.#conclude(unfinished, traceparent));
      if (waiting.length < SETTLE_BATCH) return total;
      last = waiting.at(-1);
    }
  }

  /**
   * Publishes the waiting events under a number for the forecast that they are claimed for, in the order in which they occurred. Those that it does
   * not take wait on.
   * @returns how many events were published
   */
  async claim({ kind, warehouseCode, number }: WaitingNumber, claim: Claim, traceparent: string | undefined): Promise<number> {
    const scope = kind === 'named' ? { forecastNos: [number], scanned: [] } : { forecastNos: [], scanned: [{ warehouseCode, number }] };
    let total = 0;
    for (let last: Parameters<MongoEventLog['waiting']>[1]; ; ) {
      const waiting = await this.#log.waiting(scope, last, SETTLE_BATCH);
      // Asked behind the read: what was waiting while the claim was open is the claim's, whoever else is at it.
      if (waiting.length === 0 || !(await claim.isOpen())) return total;
      // Other warehouses may have been given the same wrong number.
      const own = waiting.filter(({ event }) => (JSON.parse(event) as IntakeEvent).warehouseCode === warehouseCode);
      const { published, unfinished } = await this.#publish(own, traceparent, [], claim);
      total += published + (await this.#conclude(unfinished, traceparent));
      if (waiting.length < SETTLE_BATCH) return total;
      last = waiting.at(-1);
    }
  }

  /**
   * Takes the step that remains of stored events: of waiting ones the second look into the directory, of published ones
   * what they change there.
   * @param traceparent of what has them finished; undefined when nothing but time does
   * @returns how many events were published, others that had waited for that included
   */
  async finish(unfinished: readonly StoredEvent[], traceparent: string | undefined): Promise<number> {
    if (unfinished.length === 0) return 0;
    const inOrder = unfinished.toSorted((a, b) => (a._id < b._id ? -1 : 1));
    const waiting = inOrder.filter((event) => event.waiting !== undefined);
    const done = inOrder.filter((event) => event.waiting === undefined);
    // The look comes first, and among them all: it sees what those before an event change, not what those behind it do.
    const found = waiting.length === 0 ? { published: 0, unfinished: [] } : await this.#publish(inOrder, traceparent);
    const released = await this.#conclude([...done, ...found.unfinished], traceparent);
    if (waiting.length > 0) await this.#log.looked(waiting.map(({ _id }) => _id));
    return found.published + released;
  }

  /** Matches events again and publishes those that wait and have a forecast by now. */
  async #publish(
    stored: readonly Matchable[],
    traceparent: string | undefined,
    named: readonly NamedNumber[] = [],
    claim?: Claim,
  ): Promise<Publications> {
    const events = stored.map((document) => toBatchEvent(document, named, claim));
    const now = this.#clock.now();
    const { matches, publications, claiming } = matchBatch(events, await this.#directory.lookUp(events), now);
    const reasons: WaitingChange[] = [];
    stored.forEach(({ _id: id, waiting }, index) => {
      const match = matches[index];
      if (waiting === undefined || !match || !('reason' in match) || match.reason === waiting) return;
      reasons.push({ id, update: { $set: { waiting: match.reason } } });
    });
    const unfinished: string[] = [];
    const changes = publications.flatMap((index): WaitingChange[] => {
      const { _id: id, waiting } = stored[index] as Matchable;
      const { event } = events[index] as BatchEvent;
      const match = matches[index];
      if (waiting === undefined || !match || !('forecast' in match)) return [];
      // A forecast that was deleted in the meantime: what waits is left to wait.
      if (claim !== undefined && match.forecast.forecastNo !== claim.forecastNo) return [];
      const fields = { ...publishedFields(event, match.forecast, claiming.has(index), now), ...(claim && { resolution: claim.id }) };
      if (fields.unfinished_since !== undefined) unfinished.push(id);
      const message = messageOf(event, match.forecast, { id, now, traceparent });
      return [{ id, update: publicationUpdate(fields, message, this.#times.next()), resolution: claim?.id }];
    });
    const [published] = await Promise.all([this.#log.changeWaiting(changes), this.#log.changeWaiting(reasons)]);
    // As they are stored: another process may have published one of them first, and for another forecast.
    return { published, unfinished: await this.#log.publishedUnfinished(unfinished) };
  }

  /**
   * Writes down what published events change in the directory. Events that wait to be told whose parcel a number is on
   * come before the end of its stay: afterwards the number may be another forecast's.
   * @returns how many waiting events were published
   */
  async #conclude(done: readonly StoredEvent[], traceparent: string | undefined): Promise<number> {
    if (done.length === 0) return 0;
    let published = 0;
    for (const consequences of consequencesOf(done)) published += await this.#write(consequences, traceparent);
    await this.#log.concluded(done.map(({ _id }) => _id));
    return published;
  }

  async #write({ claims, named, ended }: Consequences, traceparent: string | undefined): Promise<number> {
    const now = this.#clock.now();
    const isNamed = named.length > 0;
    const restored = await this.#directory.apply({ claims, ended: isNamed ? [] : ended }, now);
    const forecastNos = [...new Set(restored.map(({ forecastNo }) => forecastNo))];
    let published = restored.length > 0 ? await this.settle({ forecastNos, scanned: restored }, traceparent) : 0;
    if (!isNamed) return published;
    published += await this.settle({ forecastNos: [], scanned: named }, traceparent, named);
    await this.#directory.apply({ claims: [], ended }, now);
    return published;
  }
}
