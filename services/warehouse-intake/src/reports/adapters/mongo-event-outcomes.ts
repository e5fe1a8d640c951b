import type { Clock } from '@parcelway/kernel/clock';
import type { MongoDatabase } from '@parcelway/mongo/mongo-database';
import type { Model } from 'mongoose';
import { listedIn, MongoDirectory } from '../../expected/adapters/mongo-directory.ts';
import { MongoNumberCounts } from '../../expected/adapters/mongo-number-counts.ts';
import { type EventDocument, eventIndexes, events } from '../../expected/adapters/mongo-schema.ts';
import { type EventKey, type IntakeEvent, storedEvent } from '../../expected/domain/event.ts';
import type { UnclaimedReason } from '../../expected/domain/match.ts';
import { matchBatch } from '../../expected/domain/match-batch.ts';
import { candidatesOf, type WaitingPosition } from '../domain/event-outcome.ts';
import type { EventOutcomes, StoredOutcome, WaitingQuery } from '../ports.ts';
import { type ResolutionDocument, resolutionOf, resolutions } from './mongo-resolution-schema.ts';

type WaitingDocument = Pick<EventDocument, '_id' | 'event' | 'received_at'> & { readonly waiting: UnclaimedReason };

/** Shows from MongoDB what became of events. */
export class MongoEventOutcomes implements EventOutcomes {
  readonly #db: MongoDatabase;
  readonly #clock: Clock;
  readonly #events: Model<EventDocument>;
  readonly #resolutions: Model<ResolutionDocument>;
  readonly #directory: MongoDirectory;

  /** @param db migrated with intakeCollections */
  constructor(db: MongoDatabase, clock: Clock) {
    this.#db = db;
    this.#clock = clock;
    this.#events = db.model(events);
    this.#resolutions = db.model(resolutions);
    this.#directory = new MongoDirectory(db, new MongoNumberCounts(db, clock));
  }

  async waitingAt({ warehouseCode, reasons, after, limit }: WaitingQuery) {
    const found = await this.#db.run(() =>
      this.#events
        .find(
          { warehouse_code: { $eq: warehouseCode }, waiting: { $exists: true, $in: [...reasons] }, ...behind(after) },
          { event: 1, waiting: 1, received_at: 1 },
        )
        .sort({ received_at: 1, _id: 1 })
        .limit(limit + 1)
        .batchSize(limit + 1)
        .hint(eventIndexes.reasonAt)
        .lean<WaitingDocument[]>(),
    );
    const page = found.slice(0, limit);
    const last = found.length > limit ? page.at(-1) : undefined;
    const next: WaitingPosition | null = last === undefined ? null : { receivedAt: last.received_at, id: last._id };
    const parsed = page.map((document) => ({ document, event: storedEvent(document.event) }));
    const candidates = await this.#candidates(parsed.filter(({ document }) => document.waiting === 'ambiguous').map(({ event }) => event));
    const shown = parsed.map(({ document, event }) => ({
      event,
      type: event.detail.type,
      reason: document.waiting,
      receivedAt: document.received_at,
      candidates: candidates.get(event) ?? [],
    }));
    return { events: shown, next };
  }

  async outcomeOf({ warehouseCode, eventId }: EventKey): Promise<StoredOutcome | undefined> {
    const document = await this.#db.run(() =>
      this.#events
        .findOne({ warehouse_code: { $eq: warehouseCode }, event_id: { $eq: eventId } })
        .hint(eventIndexes.event)
        .lean<EventDocument | null>(),
    );
    if (document === null) return undefined;
    const { waiting, published_to: publishedTo, resolution } = document;
    const event = storedEvent(document.event);
    const found =
      resolution === undefined || waiting !== undefined
        ? null
        : await this.#db.run(() =>
            this.#resolutions.findOne({ _id: resolution, warehouse_code: { $eq: warehouseCode } }).lean<ResolutionDocument | null>(),
          );
    return {
      event,
      receivedAt: document.received_at,
      waiting: (waiting as UnclaimedReason | undefined) ?? null,
      candidates: waiting === 'ambiguous' ? ((await this.#candidates([event])).get(event) ?? []) : [],
      forecastNo: publishedTo ?? null,
      isDismissed: waiting === undefined && publishedTo === undefined,
      resolution: found === null ? undefined : resolutionOf(found),
    };
  }

  /** Of ambiguous events, the forecasts that each may be for. */
  async #candidates(ambiguous: readonly IntakeEvent[]): Promise<ReadonlyMap<IntakeEvent, readonly string[]>> {
    if (ambiguous.length === 0) return new Map();
    // A crowd under one number of a warehouse has the same candidates, which may be many.
    const keyOf = (event: IntakeEvent): string => `${event.warehouseCode} ${event.scannedNumber}`;
    const firsts = new Map(ambiguous.map((event) => [keyOf(event), event]));
    const listed = listedIn(await this.#directory.lookUp([...firsts.values()].map((event) => ({ event }))));
    const candidates = new Map<string, readonly string[]>();
    for (const [key, event] of firsts) {
      // Each by itself: what one of them would change does not count for the next.
      const [match] = matchBatch([{ event }], listed, this.#clock.now()).matches;
      candidates.set(key, match === undefined ? [] : candidatesOf(match));
    }
    return new Map(ambiguous.map((event) => [event, candidates.get(keyOf(event)) ?? []]));
  }
}

function behind(after: WaitingPosition | undefined): object {
  if (after === undefined) return {};
  const { receivedAt, id } = after;
  // The first condition bounds the scan of the index, the second is exact.
  return { received_at: { $gte: receivedAt }, $or: [{ received_at: { $gt: receivedAt } }, { _id: { $gt: id } }] };
}
