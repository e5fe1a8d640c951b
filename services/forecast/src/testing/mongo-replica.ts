import { systemClock } from '@parcelway/kernel/clock';
import type { MongoDatabase } from '@parcelway/mongo/mongo-database';
import { openMongoStores } from '../adapters/mongo-stores.ts';
import { type ApplyFacts, createApplyFacts } from '../facts/apply-facts.ts';
import type { Fact } from '../store/domain/fact.ts';
import { ForecastWriter } from '../store/forecast-writer.ts';
import type { ForecastStore } from '../store/ports.ts';
import { type CancelForecast, createCancelForecast } from '../submission/cancel-forecast.ts';
import { type CorrectForecast, createCorrectForecast } from '../submission/correct-forecast.ts';
import { NumberLimits } from '../submission/number-limits.ts';
import { createSubmitForecast, type SubmitForecast } from '../submission/submit-forecast.ts';

/** The service as one of several processes sees its forecasts. */
export interface Replica {
  readonly store: ForecastStore;
  readonly submit: SubmitForecast;
  readonly correct: CorrectForecast;
  readonly cancel: CancelForecast;
  readonly writer: ForecastWriter;
  readonly apply: ApplyFacts;
}

/** The tenant of every forecast. */
export const TENANT = 'tnt_a';

/** The service over a connection of its own. */
export function replicaOver(database: MongoDatabase): Replica {
  const { store } = openMongoStores(database, (id) => id, systemClock);
  const clock = systemClock;
  const notify = () => undefined;
  const writer = new ForecastWriter({ store, environment: 'sandbox', notify });
  const checks = {
    warehouses: { exists: async () => true },
    files: { read: () => ({ findings: undefined }), namesAny: () => false },
    numberLimits: new NumberLimits(),
  };
  return {
    store,
    writer,
    submit: createSubmitForecast({ store, clock, environment: 'sandbox', notify, ...checks }),
    correct: createCorrectForecast({ store, writer, clock, ...checks }),
    cancel: createCancelForecast({ store, writer, clock }),
    apply: createApplyFacts({ writer, clock }),
  };
}

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
/** The arrival of a parcel. */
export const ARRIVAL: Fact = { step: 'warehouse.arrived', report: REPORT };
