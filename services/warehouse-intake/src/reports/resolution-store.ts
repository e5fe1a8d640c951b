import { AppError } from '@parcelway/kernel/app-error';
import type { Clock } from '@parcelway/kernel/clock';
import { failpointAsync } from '@parcelway/kernel/failpoint';
import { newId } from '@parcelway/kernel/ids';
import type { Store, Stored, Write } from '@parcelway/store/store';
import type { Directory } from '../expected/directory-store.ts';
import { assignedEntry } from '../expected/domain/directory.ts';
import { type Resolution, type ResolutionRequest, type WaitingNumber, waitingNumberOf } from '../expected/domain/resolution.ts';
import { decideResolution } from './domain/claim-or-dismiss.ts';
import { type EventDocument, events, type ResolutionDocument, resolutions } from './report-collections.ts';
import type { Settlement } from './settlement.ts';
import { eventIn, isUnfinished, keyOf, type StoredEvent } from './waiting-events.ts';

/** What came of a claim or dismissal. */
export interface ResolveOutcome {
  readonly resolution: Resolution;
  /** It had been carried out before. */
  readonly repeated: boolean;
  /** Events that found their forecast by it and wait in the outbox. */
  readonly published: number;
}

/** Which resolutions: those of a warehouse or of all. */
export interface ResolutionQuery {
  readonly warehouseCode: string | undefined;
  readonly limit: number;
}

/** What one step of the recovery did. */
export interface ResumeOutcome {
  /** Events whose last step was taken. */
  readonly resumed: number;
  /** Events that found their forecast by it. */
  readonly published: number;
}

type StoredResolution = Stored<ResolutionDocument>;

/** So often a call finishes what others have begun at its number. More than that are at it all the time. */
const MAX_ATTEMPTS = 10;
/** Events of a resolution that one step reads. */
const BATCH = 500;
/** More events than wait under any number. */
const MAX_EVENTS = 1_000_000;

const openText = ({ kind, number }: Pick<WaitingNumber, 'kind' | 'number'>): string => `${kind} ${number}`;

/** A resolution in terms of the domain. */
export function resolutionOf({ action, forecastNo = '', reason = '', ...record }: ResolutionDocument): Resolution {
  const { id, warehouseCode, eventId, resolvedAt, resolvedBy, events: count = 0 } = record;
  const done = action === 'claim' ? { action, forecastNo } : { action, reason };
  return { ...done, id, warehouseCode, eventId, resolvedAt, resolvedBy, events: count };
}

interface ResolutionStoreOptions {
  readonly store: Store;
  readonly directory: Directory;
  readonly clock: Clock;
  readonly settlement: Settlement;
}

/**
 * Claims and dismissals, in steps that anybody can repeat:
 *
 * 1. The record, open, together with the event that was named: from here on nothing but this resolution ends its waiting. There is one open record of a
 *    number at most, so of two requests one comes first.
 * 2. The directory: what comes under the number from now on goes to the forecast.
 * 3. The events under the number.
 * 4. The record, closed.
 *
 * A record that a crash left open is finished by the next request for the number, or by {@link resume}. A new event that is stored while this goes on is
 * found by step 3, or finds what step 2 wrote.
 */
export class ResolutionStore {
  readonly #store: Store;
  readonly #directory: Directory;
  readonly #clock: Clock;
  readonly #settlement: Settlement;

  constructor({ store, directory, clock, settlement }: ResolutionStoreOptions) {
    this.#store = store;
    this.#directory = directory;
    this.#clock = clock;
    this.#settlement = settlement;
  }

  /**
   * Carries out a claim or dismissal (domain/resolution): of all events of the warehouse that wait under the number of the named one, in the order in
   * which they occurred. Durable when it resolves. A crash in between is finished by the same request again, or by {@link resume}.
   * @throws AppError 40403, 40902, or 50301 when the store is out
   */
  async resolve(request: ResolutionRequest, traceparent?: string): Promise<ResolveOutcome> {
    for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt += 1) {
      const stored = await this.#store.get(events, keyOf(request));
      const other = stored && (await this.#openAt(waitingNumberOf(eventIn(stored))));
      if (other) {
        // Who comes second finishes what the first has begun: then it is known what is left of the event.
        await this.#finish(other, traceparent);
        continue;
      }
      const outcome = await this.#begin(request, stored, traceparent);
      if (outcome !== undefined) return outcome;
    }
    throw AppError.unavailable('Other calls resolve the same number; try again');
  }

  /** Finishes at most `limit` resolutions that were begun before `before` (epoch milliseconds). */
  async resume(before: number, limit: number): Promise<ResumeOutcome> {
    if (limit <= 0) return { resumed: 0, published: 0 };
    const { items } = await this.#store.find(resolutions.by.unfinished, { eq: [], to: before, limit });
    let published = 0;
    for (const stored of items) published += (await this.#finish(stored, undefined)).published;
    return { resumed: items.length, published };
  }

  /** Finished resolutions, the newest first. */
  async list({ warehouseCode, limit }: ResolutionQuery): Promise<readonly Resolution[]> {
    const { done, done_at } = resolutions.by;
    const page =
      warehouseCode === undefined ? this.#store.find(done, { eq: [], limit }) : this.#store.find(done_at, { eq: [warehouseCode], limit });
    return (await page).items.map(({ value }) => resolutionOf(value));
  }

  /** @returns undefined when another call came first: the request is to be decided again */
  async #begin(request: ResolutionRequest, stored: StoredEvent | undefined, traceparent?: string): Promise<ResolveOutcome | undefined> {
    const entryOf = async (forecastNo: string) => (await this.#directory.read([forecastNo])).get(forecastNo)?.entry;
    const decision = decideResolution(request, {
      event: stored && (await this.#stateOf(stored)),
      forecast: request.action === 'claim' ? await entryOf(request.forecastNo) : undefined,
    });
    if ('repeated' in decision) {
      // Its record may not be on the disk yet.
      await this.#store.apply([]);
      return { resolution: decision.repeated, repeated: true, published: 0 };
    }
    const { eventId, resolvedBy } = request;
    const { warehouseCode, kind, number } = decision.number;
    const now = this.#clock.now();
    const insert: ResolutionDocument = {
      warehouseCode,
      id: newId('res'),
      eventId,
      kind,
      number,
      ...(request.action === 'claim' ? { action: 'claim', forecastNo: request.forecastNo } : { action: 'dismiss', reason: request.reason }),
      resolvedAt: now,
      resolvedBy,
      open: openText(decision.number),
      openSince: now,
    };
    const writes = [
      { in: resolutions, insert },
      { in: events, patch: stored, set: { resolution: insert.id } },
    ];
    const outcomes = await this.#store.apply(writes as unknown as readonly Write[], { together: true });
    if (outcomes.some((outcome) => outcome.kind !== 'written')) return undefined;
    await failpointAsync('intake.after-claim-recorded');
    return { ...(await this.#finish({ value: insert, version: 1 }, traceparent)), repeated: false };
  }

  async #finish({ value }: StoredResolution, traceparent: string | undefined): Promise<Omit<ResolveOutcome, 'repeated'>> {
    const { id, warehouseCode, forecastNo } = value;
    const trace = (): string | undefined => traceparent;
    let published = 0;
    if (forecastNo !== undefined) {
      await this.#directory.change(new Map([[forecastNo, { entry: (entry) => entry && assignedEntry(entry, value, id) }]]));
      // What an earlier try has published, and died before it wrote down what follows from that.
      const isLeft = (stored: StoredEvent): boolean => stored.value.waiting === undefined && isUnfinished(stored);
      for await (const some of this.#eventsOf(warehouseCode, id)) published += await this.#settlement.finish(some.filter(isLeft), trace);
    }
    const isOpen = async () => (await this.#store.get(resolutions, [warehouseCode, id]))?.value.open !== undefined;
    published += await this.#settlement.resolve(value, isOpen, trace);
    // Free the events that the forecast did not take. Facts may have missed them while they were reserved, so match them again.
    const free = { resolution: undefined, unfinishedSince: this.#clock.now() } as unknown as Partial<EventDocument>;
    for await (const some of this.#eventsOf(warehouseCode, id)) {
      const waiting = some.filter((one) => one.value.waiting !== undefined);
      await this.#settlement.change(waiting, ({ value }) => (value.waiting !== undefined && value.resolution === id ? free : undefined));
      const left = await this.#store.read(
        events,
        waiting.map((one) => keyOf(one.value)),
      );
      published += await this.#settlement.finish(left.filter(isUnfinished), trace);
    }
    return { resolution: await this.#close(value), published };
  }

  async #close({ warehouseCode, id, ...begun }: ResolutionDocument): Promise<Resolution> {
    const { count } = await this.#store.count(events.by.resolved, { eq: [warehouseCode, id], most: MAX_EVENTS });
    const { result } = await this.#store.change([{ in: resolutions, keys: [[warehouseCode, id]] }], (known) => {
      const stored = known.get(resolutions, [warehouseCode, id]);
      if (stored?.value.open === undefined) return { writes: [], result: stored?.value };
      const set = { events: count, done: id, open: undefined, openSince: undefined } as unknown as Partial<ResolutionDocument>;
      return { writes: [{ in: resolutions, patch: stored, set } as Write], result: { ...stored.value, ...set } };
    });
    return resolutionOf(result ?? { ...begun, warehouseCode, id, events: count });
  }

  async *#eventsOf(warehouseCode: string, resolution: string): AsyncGenerator<readonly StoredEvent[]> {
    for (let after: string | null | undefined; after !== null; ) {
      const page: { readonly items: readonly StoredEvent[]; readonly next: string | null } = await this.#store.find(events.by.resolved, {
        eq: [warehouseCode, resolution],
        limit: BATCH,
        ...(after !== undefined && { after }),
      });
      yield page.items;
      after = page.next;
    }
  }

  /** The resolution of the number that is under way. */
  async #openAt(number: WaitingNumber): Promise<StoredResolution | undefined> {
    return (await this.#store.find(resolutions.by.open, { eq: [number.warehouseCode, openText(number)], limit: 1 })).items[0];
  }

  async #stateOf(stored: StoredEvent) {
    const { waiting, publishedTo = null, resolution, warehouseCode } = stored.value;
    const found = resolution === undefined ? undefined : await this.#store.get(resolutions, [warehouseCode, resolution]);
    return { event: eventIn(stored), waits: waiting !== undefined, publishedTo, resolution: found && resolutionOf(found.value) };
  }
}
