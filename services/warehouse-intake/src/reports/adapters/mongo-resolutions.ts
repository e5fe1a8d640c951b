import { AppError } from '@parcelway/kernel/app-error';
import type { Clock } from '@parcelway/kernel/clock';
import { failpointAsync } from '@parcelway/kernel/failpoint';
import { newId } from '@parcelway/kernel/ids';
import type { MongoDatabase } from '@parcelway/mongo/mongo-database';
import { isDuplicateKey } from '@parcelway/mongo/mongo-errors';
import type { Model } from 'mongoose';
import type { MongoDirectory } from '../../expected/adapters/mongo-directory.ts';
import { assignedEntry, claimableEntry } from '../../expected/domain/directory.ts';
import { type IntakeEvent, storedEvent } from '../../expected/domain/event.ts';
import {
  type ClaimableForecast,
  type Resolution,
  type ResolutionRequest,
  type WaitingNumber,
  waitingNumberOf,
} from '../../expected/domain/resolution.ts';
import { decideResolution } from '../domain/claim-or-dismiss.ts';
import type { ResolutionQuery, ResolveOutcome, ResumeOutcome } from '../ports.ts';
import type { MongoEventLog, StoredEvent } from './mongo-event-log.ts';
import { type ResolutionDocument, resolutionIndexes, resolutionOf, resolutions } from './mongo-resolution-schema.ts';
import { MongoResolvedEvents } from './mongo-resolved-events.ts';
import type { MongoSettlement } from './mongo-settlement.ts';

/** What a resolution has done. */
interface Done {
  readonly published: number;
  readonly events: number;
}

/** So often a call finishes what others have begun at its number. More than that are at it all the time. */
const MAX_ATTEMPTS = 10;

/**
 * Claims and dismissals. There is no transaction over the documents, so the order of the writes keeps them together:
 *
 * 1. The record, open. There is one open record of a number at most, so of two requests one comes first.
 * 2. The event that was named is reserved: from here on nothing but this resolution ends its waiting. If its waiting had ended by then, the
 *    record is taken back and the request is decided again.
 * 3. The directory: what comes under the number from now on goes to the forecast.
 * 4. The events under the number, each in one write that applies only while it waits.
 * 5. The record, closed.
 *
 * Each step can be repeated by anybody. A record that a crash left open is finished by the next request for the number, or by
 * {@link resume}. A new event that is stored while this goes on is found by step 4, or finds what step 3 wrote.
 */
export class MongoResolutions {
  readonly #db: MongoDatabase;
  readonly #model: Model<ResolutionDocument>;
  readonly #clock: Clock;
  readonly #log: MongoEventLog;
  readonly #resolved: MongoResolvedEvents;
  readonly #directory: MongoDirectory;
  readonly #settlement: MongoSettlement;

  /** @param db migrated with intakeCollections */
  constructor(db: MongoDatabase, clock: Clock, log: MongoEventLog, directory: MongoDirectory, settlement: MongoSettlement) {
    this.#db = db;
    this.#model = db.model(resolutions);
    this.#clock = clock;
    this.#log = log;
    this.#resolved = new MongoResolvedEvents(db);
    this.#directory = directory;
    this.#settlement = settlement;
  }

  /** As in the port. */
  async resolve(request: ResolutionRequest, traceparent?: string): Promise<ResolveOutcome> {
    for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt += 1) {
      const [stored] = await this.#log.stored([request]);
      const other = stored && (await this.#openAt(waitingNumberOf(eventIn(stored))));
      if (other) {
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
    const open = await this.#db.run(() =>
      this.#model
        .find({ open: true, resolved_at: { $lt: before } })
        .sort({ resolved_at: 1 })
        .limit(limit)
        .hint(resolutionIndexes.unfinished)
        .lean<ResolutionDocument[]>(),
    );
    let published = 0;
    for (const document of open) published += (await this.#finish(document, undefined))?.published ?? 0;
    return { resumed: open.length, published };
  }

  /** Finished resolutions, the newest first. */
  async list({ warehouseCode, limit }: ResolutionQuery): Promise<readonly Resolution[]> {
    const filter = { events: { $exists: true }, ...(warehouseCode !== undefined && { warehouse_code: { $eq: warehouseCode } }) };
    const found = await this.#db.run(() =>
      this.#model
        .find(filter)
        .sort({ _id: -1 })
        .limit(limit)
        .hint(warehouseCode === undefined ? '_id_' : resolutionIndexes.list)
        .lean<ResolutionDocument[]>(),
    );
    return found.map(resolutionOf);
  }

  /** The resolution that has reserved an event, or ended its waiting. */
  async #resolutionOf({ resolution, warehouse_code }: StoredEvent): Promise<Resolution | undefined> {
    if (resolution === undefined) return undefined;
    const found = await this.#db.run(() => this.#model.findOne({ _id: resolution, warehouse_code }).lean<ResolutionDocument | null>());
    return found === null ? undefined : resolutionOf(found);
  }

  /** Deletes at most `limit` resolutions from before `before` (epoch milliseconds). */
  async purge(before: number, limit: number): Promise<void> {
    const old = await this.#db.run(() =>
      this.#model
        .find({ resolved_at: { $lt: before } }, { _id: 1 })
        .sort({ resolved_at: 1, _id: 1 })
        .limit(limit)
        .hint(resolutionIndexes.age)
        .lean(),
    );
    if (old.length === 0) return;
    await this.#db.run(() => this.#model.deleteMany({ _id: { $in: old.map(({ _id }) => _id) } }));
  }

  /** @returns undefined when another call came first: the request is to be decided again */
  async #begin(request: ResolutionRequest, stored: StoredEvent | undefined, traceparent?: string): Promise<ResolveOutcome | undefined> {
    const decision = decideResolution(request, {
      event: stored && (await this.#stateOf(stored)),
      forecast: request.action === 'claim' ? await this.#claimable(request.forecastNo) : undefined,
    });
    if ('repeated' in decision) return { resolution: decision.repeated, repeated: true, published: 0 };
    const document = this.#documentOf(request, decision.number);
    if (!(await this.#insert(document))) return undefined;
    await failpointAsync('intake.after-claim-recorded');
    const done = await this.#finish(document, traceparent);
    return done && { resolution: { ...resolutionOf(document), events: done.events }, repeated: false, published: done.published };
  }

  #documentOf(request: ResolutionRequest, { warehouseCode, kind, number }: WaitingNumber): ResolutionDocument {
    return {
      _id: newId('res'),
      warehouse_code: warehouseCode,
      event_id: request.eventId,
      kind,
      number,
      action: request.action,
      ...(request.action === 'claim' ? { forecast_no: request.forecastNo } : { reason: request.reason }),
      resolved_at: this.#clock.now(),
      resolved_by: request.resolvedBy,
      open: true,
    };
  }

  /** @returns false when there is an open one of the number */
  async #insert(document: ResolutionDocument): Promise<boolean> {
    try {
      await this.#db.run(() => this.#model.collection.insertOne(document as object));
      return true;
    } catch (error) {
      if (isDuplicateKey(error, resolutionIndexes.open)) return false;
      throw error;
    }
  }

  /** @returns undefined when the waiting of the event that was named had ended by then */
  async #finish(document: ResolutionDocument, traceparent: string | undefined): Promise<Done | undefined> {
    const { _id: id, warehouse_code: warehouseCode, kind, number, event_id: eventId, forecast_no: forecastNo = null } = document;
    const open = { id, number: { warehouseCode, kind, number }, resolvedAt: document.resolved_at, forecastNo };
    if (!(await this.#resolved.reserve({ warehouseCode, eventId }, id))) return this.#takeBack(document);
    let published = 0;
    if (forecastNo !== null) {
      await this.#directory.change(new Map([[forecastNo, (entry) => entry && assignedEntry(entry, open.number, id)]]));
      // What an earlier try has published, and died before it wrote down what follows from that.
      const left = await this.#resolved.unfinished(warehouseCode, id);
      published += await this.#settlement.finish(left, () => traceparent);
    }
    const isOpen = async () =>
      (await this.#db.run(() => this.#model.exists({ _id: id, warehouse_code: warehouseCode, open: true }))) !== null;
    published += await this.#settlement.resolve(open, isOpen, () => traceparent);
    // A forecast that was deleted in the meantime: what waits is left to wait.
    if (forecastNo !== null) await this.#resolved.release(warehouseCode, id);
    const events = await this.#resolved.count(warehouseCode, id);
    await this.#close(document, events);
    return { published, events };
  }

  async #claimable(forecastNo: string): Promise<ClaimableForecast | undefined> {
    return claimableEntry((await this.#directory.read([forecastNo])).get(forecastNo)?.entry);
  }

  async #close({ _id, warehouse_code }: ResolutionDocument, events: number): Promise<void> {
    await this.#db.run(() => this.#model.updateOne({ _id, warehouse_code, open: true }, { $set: { events }, $unset: { open: '' } }));
  }

  /** The waiting of the event that was named had ended by then; or it was deleted when some of the others were done. */
  async #takeBack(document: ResolutionDocument): Promise<undefined> {
    const events = await this.#resolved.count(document.warehouse_code, document._id);
    if (events > 0) await this.#close(document, events);
    else await this.#db.run(() => this.#model.deleteOne({ _id: document._id, warehouse_code: document.warehouse_code, open: true }));
  }

  /** The resolution of the number that is under way. */
  async #openAt({ warehouseCode, kind, number }: WaitingNumber): Promise<ResolutionDocument | null> {
    const filter = { warehouse_code: { $eq: warehouseCode }, kind: { $eq: kind }, number: { $eq: number }, open: true as const };
    return this.#db.run(() => this.#model.findOne(filter).hint(resolutionIndexes.open).lean<ResolutionDocument | null>());
  }

  async #stateOf(stored: StoredEvent) {
    const resolution = await this.#resolutionOf(stored);
    return { event: eventIn(stored), waits: stored.waiting !== undefined, publishedTo: stored.published_to ?? null, resolution };
  }
}

function eventIn({ event }: StoredEvent): IntakeEvent {
  return storedEvent(event);
}
