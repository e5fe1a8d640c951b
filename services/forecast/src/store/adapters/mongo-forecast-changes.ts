import type { EncodedMessage } from '@parcelway/contracts/encode-event';
import type { Clock } from '@parcelway/kernel/clock';
import { SerialQueue } from '@parcelway/kernel/serial-queue';
import type { MongoDatabase } from '@parcelway/mongo/mongo-database';
import { isDuplicateKey } from '@parcelway/mongo/mongo-errors';
import type { MongoOutbox } from '@parcelway/mongo/mongo-outbox';
import type { Model } from 'mongoose';
import type { ForecastWrite, KnownForecast } from '../domain/known-forecast.ts';
import type { ForecastChanges, WantedForecast, WriteOutcome } from '../ports.ts';
import {
  KNOWN_FIELDS,
  type KnownDocument,
  RECORD_FIELDS,
  type RecordDocument,
  toKnown,
  WITH_SUBMISSION,
} from './mongo-forecast-documents.ts';
import { appliedAmong, claimsAmong, MANY, MANY_CLAIMS, updateOf } from './mongo-forecast-updates.ts';
import { documentId, type ForecastDocument, forecastIndexes, forecasts, idFilter } from './mongo-schema.ts';

/**
 * Messages that wait in the document of a forecast have at most so many bytes when a correction adds its own. While nothing is published, each
 * correction adds up to some 800 kB, and a document has no room beyond 16 MB; up to 5 MB of that are content.
 */
const MAX_PENDING_BYTES = 4_000_000;

/** About what can be written in turn before a caller that waits reaches its deadline. */
const MAX_WAITING = 200;

const WRITTEN: WriteOutcome = { kind: 'written' };
const LOST: WriteOutcome = { kind: 'lost' };

type Write = ForecastWrite<EncodedMessage>;

/** Bytes of messages; what an entry of the outbox has besides is little. */
const bytesOf = (messages: readonly EncodedMessage[]): number => messages.reduce((sum, { value }) => sum + Buffer.byteLength(value), 0);

const filterOf = ({ known }: Write) => idFilter(known.record.tenantId, known.record.forecastNo);

export interface MongoForecastChangesOptions {
  /** Migrated with forecastCollections. */
  readonly db: MongoDatabase;
  /** Of the forecasts. */
  readonly outbox: MongoOutbox;
  readonly clock: Clock;
}

/** Reads and writes forecasts for decisions about them: one find and one bulk write, whatever their number. */
export class MongoForecastChanges implements ForecastChanges {
  protected readonly db: MongoDatabase;
  protected readonly model: Model<ForecastDocument>;
  protected readonly outbox: MongoOutbox;
  protected readonly clock: Clock;
  /** Writes with many claims wait here for each other. */
  protected readonly inTurn = new SerialQueue(MAX_WAITING);

  constructor({ db, outbox, clock }: MongoForecastChangesOptions) {
    this.db = db;
    this.model = db.model(forecasts);
    this.outbox = outbox;
    this.clock = clock;
  }

  async read(wanted: readonly WantedForecast[]): Promise<readonly KnownForecast[]> {
    const wantedById = new Map(wanted.map((one) => [documentId(one.tenantId, one.forecastNo), one]));
    return this.db.run(async () => {
      const found = await Promise.all([
        this.#find(
          wanted.filter(({ withContent }) => !withContent),
          KNOWN_FIELDS,
        ),
        this.#find(
          wanted.filter(({ withContent }) => withContent),
          WITH_SUBMISSION,
        ),
      ]);
      return Promise.all(
        found.flat().map(async (document) => {
          const known = toKnown(document, wantedById.get(document._id) as WantedForecast);
          return known.isShown ? known : { ...known, isShown: await this.#isShown(document) };
        }),
      );
    });
  }

  apply(writes: readonly Write[]): Promise<readonly WriteOutcome[]> {
    return this.db.run(async () => {
      const [first] = writes;
      // A write that claims numbers comes alone: who holds them is known of it.
      if (writes.length === 1 && first !== undefined) return [await this.#applyOne(first)];
      const fitting = writes.filter(fits);
      const outcome = await this.#writeAll(fitting);
      return writes.map((write) => (fits(write) ? outcome : { kind: 'full' }));
    });
  }

  /** The forecast that holds the po_number, else the last that did. */
  protected async shown<D extends RecordDocument = RecordDocument>(
    tenantId: string,
    poNumber: string,
    fields: object = RECORD_FIELDS,
  ): Promise<D | null> {
    return this.model
      .findOne({ tenant_id: { $eq: tenantId }, po_number: { $eq: poNumber } }, fields)
      .sort({ held_until: -1 })
      .lean<D>();
  }

  async #find(wanted: readonly WantedForecast[], fields: object): Promise<readonly KnownDocument[]> {
    if (wanted.length === 0) return [];
    const ids = wanted.map(({ tenantId, forecastNo }) => documentId(tenantId, forecastNo));
    const eventIds = wanted.flatMap((one) => one.eventIds);
    const tenantIds = [...new Set(wanted.map(({ tenantId }) => tenantId))];
    return this.model
      .find({ _id: { $in: ids }, tenant_id: { $in: tenantIds } }, { ...fields, ...appliedAmong(eventIds) })
      .hint({ _id: 1 })
      .lean<KnownDocument[]>();
  }

  async #isShown({ _id, tenant_id, po_number }: KnownDocument): Promise<boolean> {
    return (await this.shown(tenant_id, po_number))?._id === _id;
  }

  async #applyOne(write: Write): Promise<WriteOutcome> {
    if (!fits(write)) return { kind: 'full' };
    const claims = write.content?.claims ?? [];
    try {
      return await (claims.length > MANY_CLAIMS ? this.inTurn.run([MANY], () => this.#writeAll([write])) : this.#writeAll([write]));
    } catch (error) {
      if (!isDuplicateKey(error, forecastIndexes.claims)) throw error;
      return this.#heldByOthers(write, claims);
    }
  }

  /** @returns `lost` for all when one was: the server returns only how many it wrote */
  async #writeAll(writes: readonly Write[]): Promise<WriteOutcome> {
    if (writes.length === 0) return WRITTEN;
    const updates = writes.map((write) => ({
      id: filterOf(write)._id,
      condition: { ...filterOf(write), version: write.known.version },
      update: updateOf(write),
      messages: write.messages,
      isOccupied: write.known.pendingBytes > 0,
    }));
    try {
      return (await this.outbox.update(updates)) === writes.length ? WRITTEN : LOST;
    } catch (error) {
      // Two forecasts of one po_number released it within one millisecond of the database's clock.
      if (isDuplicateKey(error, forecastIndexes.poNumber)) return LOST;
      throw error;
    }
  }

  /** `lost` when the rival was gone before it could be read. */
  async #heldByOthers(write: Write, claims: readonly string[]): Promise<WriteOutcome> {
    const others = { _id: { $ne: filterOf(write)._id }, tenant_id: { $eq: write.known.record.tenantId }, claims: { $in: claims } };
    const rivals = await this.model.find(others, claimsAmong(claims)).lean<{ readonly claims?: readonly string[] | null }[]>();
    const taken = new Set(rivals.flatMap((rival) => rival.claims ?? []));
    return taken.size === 0 ? LOST : { kind: 'taken', takenNumbers: claims.filter((number) => taken.has(number)) };
  }
}

/** True when the document of a forecast has room for the messages of a correction. */
function fits({ known, content, messages }: Write): boolean {
  return content === undefined || known.pendingBytes + bytesOf(messages) <= MAX_PENDING_BYTES;
}
