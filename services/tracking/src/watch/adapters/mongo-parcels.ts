import { isDeepStrictEqual } from 'node:util';
import { encodeEvent } from '@parcelway/contracts/encode-event';
import type { Clock } from '@parcelway/kernel/clock';
import { untilWritten } from '@parcelway/kernel/optimistic-write';
import type { MongoDatabase } from '@parcelway/mongo/mongo-database';
import { isDuplicateKey } from '@parcelway/mongo/mongo-errors';
import { newOutbox, withOutbox } from '@parcelway/mongo/mongo-outbox-fields';
import type { mongo } from 'mongoose';
import type { Decision, ParcelWrite, ReadParcel } from '../domain/decide.ts';
import { keyOf } from '../domain/parcel-key.ts';
import type { ParcelQuery, ParcelStore } from '../ports.ts';
import {
  HISTORY_KEYS,
  type KnownDocument,
  PARCEL_ONLY,
  parcelFilter,
  parcelId,
  parcelsFilter,
  toHistoryNode,
  toParcel,
  toShipmentFields,
} from './mongo-documents.ts';
import { type ParcelDocument, parcels, type ShipmentFields } from './mongo-schema.ts';

type BulkWrite = mongo.AnyBulkWriteOperation<ParcelDocument>;

/**
 * Parcels in MongoDB, for any number of processes: one read and one bulk write for a batch.
 *
 * Crashes and races: nodes, published status and event are one write of one document, on condition that it still has the
 * revision that they were decided on. So a crash leaves whole parcels: what is not written comes again with the event or the
 * next poll. When a write of a batch loses a race, the whole batch is read and decided again: what the others have written, and
 * what this process has written already, changes nothing then.
 */
export function createMongoParcelStore(db: MongoDatabase, clock: Clock): ParcelStore {
  const model = db.model(parcels);

  const read = async (queries: readonly ParcelQuery[]): Promise<ReadParcel> => {
    const projection = queries.some(({ withHistory }) => withHistory) ? { ...PARCEL_ONLY, ...HISTORY_KEYS } : PARCEL_ONLY;
    const found = await model.find(parcelsFilter(queries), projection).hint({ _id: 1 }).lean<KnownDocument[]>();
    const known = new Map(found.map((document) => [document._id, toParcel(document)]));
    return (key) => known.get(parcelId(key));
  };

  /** @returns whether all were written: none had another revision, and no new one was there already */
  const apply = async ({ writes }: Decision): Promise<boolean> => {
    const now = clock.now();
    try {
      const result = await model.collection.bulkWrite(
        furtherFirst(writes).map((write) => bulkWriteOf(write, now)) as unknown as Parameters<typeof model.collection.bulkWrite>[0],
        { ordered: writes.some(isNewFurther) },
      );
      return result.matchedCount + result.insertedCount === writes.length;
    } catch (error) {
      if (isDuplicateKey(error)) return false;
      throw error;
    }
  };

  return {
    change: (queries, decide) =>
      db.run(() =>
        untilWritten(async () => {
          const decision = decide(await read(queries));
          return decision.writes.length === 0 || (await apply(decision)) ? decision : undefined;
        }),
      ),
  };
}

/** A further parcel of which nothing is stored yet. */
function isNewFurther({ before, after }: ParcelWrite): boolean {
  return before === undefined && keyOf(after).furtherNumber !== null;
}

/** Further parcels are there before their forecasts list them: so one that is listed and not there has been deleted (mongo-retention.ts). */
function furtherFirst(writes: readonly ParcelWrite[]): readonly ParcelWrite[] {
  return [...writes.filter(isNewFurther), ...writes.filter((write) => !isNewFurther(write))];
}

function bulkWriteOf(write: ParcelWrite, now: number): BulkWrite {
  const { before, after } = write;
  if (before === undefined) return { insertOne: { document: newDocument(write, now) } };
  const update = withOutbox(updateOf(write), write.messages.map(encodeEvent), now);
  return { updateOne: { filter: { ...parcelFilter(keyOf(after)), revision: before.version }, update: update as object, hint: { _id: 1 } } };
}

function newDocument({ after, added, messages }: ParcelWrite, now: number): ParcelDocument {
  const { forecast, shipment, history } = after;
  return {
    _id: parcelId(keyOf(after)),
    tenant_id: forecast.tenantId,
    forecast_no: forecast.forecastNo,
    po_number: forecast.poNumber,
    forecast_id: forecast.forecastId,
    accepted_at: forecast.acceptedAt,
    is_cancelled: forecast.cancelledAt !== null,
    ...((shipment?.furtherNumber ?? null) !== null && { is_further: true }),
    ...(forecast.furtherNumbers.length > 0 && { further_numbers: [...forecast.furtherNumbers] }),
    revision: 1,
    ...(shipment && {
      shipment: { ...toShipmentFields(shipment), lease_until: 0 },
      nodes: added.map(toHistoryNode),
      nodes_seen: history.seen,
    }),
    ...newOutbox(messages.map(encodeEvent), now),
  };
}

/** Writes what differs and nothing else: a lease is taken without a new revision. */
function updateOf(write: ParcelWrite): Readonly<Record<string, Readonly<Record<string, unknown>>>> {
  const { before, after, added, isLeaseEnded } = write;
  const set: Record<string, unknown> = {};
  if (before?.forecast !== after.forecast) {
    set['forecast_id'] = after.forecast.forecastId;
    set['accepted_at'] = after.forecast.acceptedAt;
    set['is_cancelled'] = after.forecast.cancelledAt !== null;
    if (after.forecast.furtherNumbers.length > 0) set['further_numbers'] = after.forecast.furtherNumbers;
  }
  if (added.length > 0) set['nodes_seen'] = after.history.seen;
  const gone = goneFields(write);
  const isNewParcel = after.shipment !== undefined && before?.shipment?.watch !== after.shipment.watch;
  if (isNewParcel && after.shipment) {
    set['shipment'] = { ...toShipmentFields(after.shipment), lease_until: 0 } satisfies ShipmentFields;
    set['nodes'] = added.map(toHistoryNode);
  } else {
    Object.assign(set, changedFields(write));
    if (isLeaseEnded) set['shipment.lease_until'] = 0;
  }
  return {
    ...(Object.keys(set).length > 0 && { $set: set }),
    $inc: { revision: 1 },
    ...(added.length > 0 && !isNewParcel && { $push: { nodes: insertNodes(write) } }),
    ...(gone.length > 0 && !isNewParcel && { $unset: Object.fromEntries(gone.map((name) => [name, ''])) }),
  };
}

function changedFields({ before, after }: ParcelWrite): Readonly<Record<string, unknown>> {
  if (!before?.shipment || !after.shipment) return {};
  const former = toShipmentFields(before.shipment);
  const changed = Object.entries(toShipmentFields(after.shipment)).filter(
    ([name, value]) => !isDeepStrictEqual(former[name as keyof typeof former], value),
  );
  return Object.fromEntries(changed.map(([name, value]) => [`shipment.${name}`, value]));
}

/** Fields that the shipment had and has no more, such as the next poll once the watch has ended. */
function goneFields({ before, after }: ParcelWrite): readonly string[] {
  if (!before?.shipment || !after.shipment) return [];
  const fields = toShipmentFields(after.shipment);
  return Object.keys(toShipmentFields(before.shipment)).flatMap((name) => (name in fields ? [] : [`shipment.${name}`]));
}

/** Puts the nodes where they belong in the stored order, and drops the oldest ones, as many as were decided. */
function insertNodes({ after, added, dropped }: ParcelWrite): object {
  const drop = dropped.length > 0 ? { $slice: -after.history.entries.length } : {};
  return { $each: added.map(toHistoryNode), $sort: { instant: 1, seq: 1 }, ...drop };
}
