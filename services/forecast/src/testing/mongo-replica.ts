import type { EncodedMessage } from '@parcelway/contracts/encode-event';
import { systemClock } from '@parcelway/kernel/clock';
import type { MongoDatabase } from '@parcelway/mongo/mongo-database';
import { laterOutbox } from '@parcelway/mongo/testing/later-outbox';
import { createMongoStore } from '@parcelway/store/mongo/mongo-store';
import { mongoCollection } from '@parcelway/store/mongo/mongo-store-schema';
import { forecastCollections } from '../collections.ts';
import { expiryNotes } from '../retention/expiry-collections.ts';
import type { Fact } from '../store/domain/fact.ts';
import { forecasts } from '../store/forecast-collection.ts';
import { createForecastStore } from '../store/forecast-store.ts';
import { useCasesOver } from './open-use-cases.ts';

/** The service as one of several processes sees its forecasts. */
export type Replica = ReturnType<typeof replicaOver>;

/** Every collection of the service, in MongoDB. */
export const collections = forecastCollections.map(mongoCollection);

/** The tenant of every forecast. */
export const TENANT = 'tnt_a';

export const replicaOver = (database: MongoDatabase) =>
  useCasesOver(
    createForecastStore(createMongoStore(database), () => database.check()),
    systemClock,
  );

/** A submission with an item for each number, or one without a number. */
export const submission = (poNumber: string, ...trackingNumbers: string[]) => ({
  po_number: poNumber,
  warehouse_code: 'WH1',
  shipping_label: 'https://localhost/label',
  shipping_note: 'https://localhost/note',
  items: (trackingNumbers.length > 0 ? trackingNumbers : ['']).map((number) => ({
    sku_code: 'SKU',
    product_name_en: 'Lamp',
    forecast_quantity: 1,
    ...(number !== '' && { tracking_number: number }),
  })),
});

/** What every fact was reported by. */
export const REPORT = {
  warehouseCode: 'WH1',
  eventId: 'e1',
  expressNo: null,
  occurredAt: '2026-11-21T12:00:00Z',
  occurredAtMs: Date.UTC(2026, 10, 21, 12),
};
export const ARRIVAL: Fact = { step: 'warehouse.arrived', report: REPORT };

/** The messages that wait, taken from a database by a process that publishes later. */
export async function takeWaiting(database: MongoDatabase): Promise<readonly EncodedMessage[]> {
  const waiting = [forecasts, expiryNotes].map(async (collection) => {
    const outbox = laterOutbox(database, mongoCollection(collection), systemClock);
    const messages = await outbox.lease(10_000);
    await outbox.remove(messages.map(({ id }) => id));
    await outbox.flush();
    return messages;
  });
  return (await Promise.all(waiting)).flat();
}
