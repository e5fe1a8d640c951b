import { systemClock } from '@parcelway/kernel/clock';
import type { MongoDatabase } from '@parcelway/mongo/mongo-database';
import { openMongoStores } from '../adapters/mongo-stores.ts';
import type { Fact } from '../store/domain/fact.ts';
import { useCasesOver } from './open-use-cases.ts';

/** The service as one of several processes sees its forecasts. */
export type Replica = ReturnType<typeof replicaOver>;

/** The tenant of every forecast. */
export const TENANT = 'tnt_a';

export const replicaOver = (database: MongoDatabase) => useCasesOver(openMongoStores(database, (id) => id, systemClock).store, systemClock);

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
