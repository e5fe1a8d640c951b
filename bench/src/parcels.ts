import { sampleSubmission } from '@parcelway/harness/sample-data';
import { closedLoop, closedLoopOf, type LoopResult } from './closed-loop.ts';
import type { RawClient } from './raw-client.ts';

const CONNECTIONS = 50;
let counter = 0;

/** A forecast that was accepted. */
export interface Parcel {
  readonly forecast_no: string;
  readonly po_number: string;
}

/** Builds the next submission: one item and a new po_number. */
export function submissionWriter(warehouseCode: string): () => string {
  // Only the po_number differs: the body is written once, so that the load costs little next to what it loads.
  const [head, tail] = JSON.stringify(sampleSubmission({ poNumber: '#', warehouseCode, items: 1 })).split('#') as [string, string];
  return () => {
    counter += 1;
    return `${head}BENCH-${counter}${tail}`;
  };
}

/** Submits forecasts of one item for a time, each with a new po_number. */
export function submitFor(client: RawClient, warehouseCode: string, milliseconds: number): Promise<LoopResult> {
  const write = submissionWriter(warehouseCode);
  return closedLoop(CONNECTIONS, milliseconds, () => client.send('POST', '/open/v1/forecasts', write()));
}

/** Submits `count` forecasts of one item and gives what was accepted. */
export async function submitParcels(merchant: RawClient, warehouseCode: string, count: number): Promise<Parcel[]> {
  const write = submissionWriter(warehouseCode);
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
