import { sampleSubmission } from '@parcelway/harness/sample-data';
import { closedLoopOf } from './closed-loop.ts';
import type { RawClient } from './raw-client.ts';

const CONNECTIONS = 50;
let counter = 0;

/** A forecast that was accepted. */
export interface Parcel {
  readonly forecast_no: string;
  readonly po_number: string;
}

/**
 * The body of the next submission, with a po_number of its own.
 * @param prefix of the po_numbers: two processes that load one platform each have their own
 * @param pdf URL of an upload of the tenant: the forecast is of type 2, which can be dispatched; of type 1 without it
 */
export function submissionWriter(warehouseCode: string, items: number, pdf?: string, prefix = 'BENCH'): () => string {
  // Only the po_number differs: the body is written once, so that the load costs little next to what it loads.
  const [head, tail] = JSON.stringify(
    sampleSubmission({ poNumber: '#', warehouseCode, items, shippingLabel: pdf, shippingNote: pdf }),
  ).split('#') as [string, string];
  return () => {
    counter += 1;
    return `${head}${prefix}-${counter}${tail}`;
  };
}

/** Submits `count` forecasts of one item and gives what was accepted. */
export async function submitParcels(merchant: RawClient, warehouseCode: string, count: number): Promise<Parcel[]> {
  const write = submissionWriter(warehouseCode, 1);
  const parcels: Parcel[] = [];
  await closedLoopOf(CONNECTIONS, count, async () => {
    parcels.push(await merchant.post<Parcel>('/open/v1/forecasts', write()));
  });
  return parcels;
}

/** The weighing of a parcel as its warehouse reports it; a parcel has one. */
export function weighingOf(warehouseCode: string, { forecast_no: forecastNo }: Parcel): string {
  return JSON.stringify({
    event_id: `bench-${forecastNo}`,
    type: 'weighing',
    occurred_at: new Date().toISOString(),
    warehouse_code: warehouseCode,
    forecast_no: forecastNo,
    length_cm: 30,
    width_cm: 20,
    height_cm: 10,
    weight_kg: 1.25,
  });
}
