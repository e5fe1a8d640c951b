import type { Clock } from '@parcelway/kernel/clock';
import { newId } from '@parcelway/kernel/ids';
import { listedIn, type MongoDirectory, type ReadEntries } from '../../expected/adapters/mongo-directory.ts';
import type { EventScope } from '../../expected/adapters/mongo-event-scope.ts';
import type { EventDocument } from '../../expected/adapters/mongo-schema.ts';
import { leadsTo } from '../../expected/domain/directory.ts';
import { storedEvent } from '../../expected/domain/event.ts';
import { type NamedNumber, type NamingEvent, namedForecastOf } from '../../expected/domain/named-number.ts';
import type { OpenResolution } from '../../expected/domain/resolution.ts';
import { isMeant } from '../domain/claim-or-dismiss.ts';
import { decideWaiting, type WaitingCandidate } from '../domain/decide-waiting.ts';
import type { TraceOf } from '../domain/trace.ts';
import type { EventPlace, MongoEventLog, StoredEvent, WaitingChange, WaitingEvent } from './mongo-event-log.ts';
import { type Consequences, changesBy, consequencesOf, messageOf, publicationUpdate, publishedFields } from './mongo-published-event.ts';
import type { WriteTimes } from './mongo-write-times.ts';

/** Waiting events that are matched again in one step. */
const SETTLE_BATCH = 500;

/** An event that may wait, as far as a match needs it. */
type Matchable = Pick<EventDocument, '_id' | 'warehouse_code' | 'event' | 'waiting' | 'published_to'>;
type Candidate = WaitingCandidate<Matchable>;

function toCandidate(stored: Matchable): Candidate {
  const { event, waiting, published_to: publishedTo } = stored;
  return { event: storedEvent(event), stored, waiting: waiting as Candidate['waiting'], publishedTo };
}

/** With the forecast that the warehouse has just named for its number, if the event waits for that. */
function namedCandidate(stored: WaitingEvent, naming: readonly NamingEvent[]): Candidate {
  const candidate = toCandidate(stored);
  const { event, waiting } = candidate;
  const resolvedTo = namedForecastOf({ event, waiting, id: stored._id, receivedAt: stored.received_at }, naming);
  return resolvedTo === undefined ? candidate : { ...candidate, resolvedTo };
}

/** What matching events again has done. */
interface Publications {
  readonly published: number;
  /** Those that change something in the directory, as they are stored. */
  readonly unfinished: readonly StoredEvent[];
  /** The directory as the match has seen it. */
  readonly entries: ReadEntries;
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
   * @param trace of what makes that necessary
   * @param named events that say whose parcels numbers are on: ambiguous events before them go there (domain/named-number)
   * @returns how many events were published
   */
  async settle(scope: EventScope, trace: TraceOf, named: readonly NamingEvent[] = []): Promise<number> {
    let total = 0;
    for (let last: Parameters<MongoEventLog['waiting']>[1]; ; ) {
      const waiting = await this.#log.waiting(scope, last, SETTLE_BATCH);
      if (waiting.length === 0) return total;
      const candidates = waiting.map((event) => namedCandidate(event, named));
      const { published, unfinished, entries } = await this.#publish(candidates, trace);
      total += published + (await this.#conclude(unfinished, trace, entries));
      if (waiting.length < SETTLE_BATCH) return total;
      last = waiting.at(-1);
    }
  }

  /**
   * Ends the waiting of the events under the number of a resolution, in the order in which they occurred. Those that the forecast of a claim does
   * not take wait on.
   * @param isOpen false once the resolution has been carried out to its end
   * @returns how many events were published
   */
  async resolve(resolution: OpenResolution, isOpen: () => Promise<boolean>, trace: TraceOf): Promise<number> {
    const { kind, warehouseCode, number } = resolution.number;
    const scope = kind === 'named' ? { forecastNos: [number], scanned: [] } : { forecastNos: [], scanned: [{ warehouseCode, number }] };
    let total = 0;
    for (let last: Parameters<MongoEventLog['waiting']>[1]; ; ) {
      const waiting = await this.#log.waiting(scope, last, SETTLE_BATCH);
      // Asked behind the read: what was waiting while the resolution was open is its own, whoever else is at it.
      if (waiting.length === 0 || !(await isOpen())) return total;
      total += await this.#resolveSome(resolution, waiting, trace);
      if (waiting.length < SETTLE_BATCH) return total;
      last = waiting.at(-1);
    }
  }

  async #resolveSome(resolution: OpenResolution, waiting: readonly WaitingEvent[], trace: TraceOf): Promise<number> {
    const { id, forecastNo } = resolution;
    const meant = waiting.flatMap((stored) => {
      const candidate = toCandidate(stored);
      const known = { event: candidate.event, receivedAt: stored.received_at, reservedBy: stored.resolution ?? null };
      return isMeant(resolution, known) ? [candidate] : [];
    });
    if (forecastNo === null) {
      const update = { $set: { resolution: id }, $unset: { waiting: '', unfinished_since: '' } };
      await this.#log.changeWaiting(meant.map(({ stored }) => ({ of: stored, update, resolution: id })));
      return 0;
    }
    const claimed = meant.map((candidate) => ({ ...candidate, resolvedTo: forecastNo }));
    const { published, unfinished, entries } = await this.#publish(claimed, trace, { id, forecastNo });
    return published + (await this.#conclude(unfinished, trace, entries));
  }

  /**
   * Takes the step that remains of stored events: of waiting ones the second look into the directory, of published ones
   * what they change there.
   * @param trace of what has them finished
   * @param known the directory as it was read for the match of the published ones
   * @returns how many events were published, others that had waited for that included
   */
  async finish(unfinished: readonly StoredEvent[], trace: TraceOf, known?: ReadEntries): Promise<number> {
    if (unfinished.length === 0) return 0;
    const inOrder = unfinished.toSorted((a, b) => (a._id < b._id ? -1 : 1));
    const waiting = inOrder.filter((event) => event.waiting !== undefined);
    const done = inOrder.filter((event) => event.waiting === undefined);
    if (waiting.length === 0) return this.#conclude(done, trace, known);
    // The look comes first, and among them all: it sees what those before an event change, not what those behind it do.
    const found = await this.#publish(
      inOrder.map((stored) => ({ ...toCandidate(stored), isRecent: true })),
      trace,
    );
    // Before the directory changes: repeated behind a crash, the look would see the stays that have ended, and guess.
    await this.#log.looked(waiting);
    return found.published + (await this.#conclude([...done, ...found.unfinished], trace, found.entries));
  }

  /** Matches events again and publishes those that wait and have a forecast by now. @param claim that they are matched for */
  async #publish(
    candidates: readonly Candidate[],
    trace: TraceOf,
    claim?: { readonly id: string; readonly forecastNo: string },
  ): Promise<Publications> {
    const now = this.#clock.now();
    const entries = await this.#directory.lookUp(candidates);
    const { changes, publications } = decideWaiting(candidates, listedIn(entries), now);
    const reasons = changes.flatMap(({ stored, becomes }) =>
      'reason' in becomes ? [{ of: stored, update: { $set: { waiting: becomes.reason } } }] : [],
    );
    const unfinished: EventPlace[] = [];
    const published = publications.flatMap(({ stored, becomes }): WaitingChange[] => {
      if ('reason' in becomes) return [];
      // A forecast that was deleted in the meantime: what waits is left to wait.
      if (claim !== undefined && becomes.forecast.forecastNo !== claim.forecastNo) return [];
      const fields = { ...publishedFields(becomes, now), ...(claim && { resolution: claim.id }) };
      if (fields.unfinished_since !== undefined) unfinished.push(stored);
      const message = messageOf(becomes, { id: newId('evt'), now, traceparent: trace(becomes) });
      return [{ of: stored, update: publicationUpdate(fields, message, this.#times.next()), resolution: claim?.id }];
    });
    const [count] = await Promise.all([this.#log.changeWaiting(published), this.#log.changeWaiting(reasons)]);
    // As they are stored: another process may have published one of them first, and for another forecast.
    return { published: count, unfinished: await this.#log.publishedUnfinished(unfinished), entries };
  }

  /**
   * Writes down what published events change in the directory. Events that wait for the forecast of a number
   * come before the end of its stay: afterwards the number may be another forecast's.
   * @returns how many waiting events were published
   */
  async #conclude(done: readonly StoredEvent[], trace: TraceOf, known?: ReadEntries): Promise<number> {
    if (done.length === 0) return 0;
    let published = 0;
    for (const [index, consequences] of consequencesOf(done).entries()) {
      published += await this.#write(consequences, trace, index === 0 ? known : undefined);
    }
    await this.#log.concluded(done);
    return published;
  }

  async #write({ claims, named, ended }: Consequences, trace: TraceOf, known?: ReadEntries): Promise<number> {
    const now = this.#clock.now();
    const isNamed = named.length > 0;
    let published = await this.#claim(claims, isNamed ? [] : ended, now, trace, known);
    if (!isNamed) return published;
    published += await this.settle({ forecastNos: [], scanned: named }, trace, named);
    await this.#directory.change(changesBy({ claims: [], ended }, now));
    return published;
  }

  /** @returns how many waiting events were published: those under numbers that a correction had taken away and that lead to their forecast again */
  async #claim(
    claims: readonly NamedNumber[],
    ended: readonly string[],
    now: number,
    trace: TraceOf,
    known: ReadEntries | undefined,
  ): Promise<number> {
    const changed = await this.#directory.change(changesBy({ claims, ended }, now), known);
    const restored = claims.flatMap((claim) => {
      const { before, after } = changed.get(claim.forecastNo) ?? {};
      return before && after && !leadsTo(before, claim) && leadsTo(after, claim) ? [after] : [];
    });
    if (restored.length === 0) return 0;
    const scanned = restored.flatMap(({ forecast, numbers }) =>
      forecast === null ? [] : numbers.map((number) => ({ warehouseCode: forecast.warehouseCode, number })),
    );
    return this.settle({ forecastNos: restored.map(({ forecastNo }) => forecastNo), scanned }, trace);
  }
}
