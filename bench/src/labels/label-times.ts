import { until } from '@parcelway/kernel/testing/until';
import type { Parcel } from '../parcels.ts';
import type { RawClient } from '../raw-client.ts';
import { pause } from '../suite.ts';

const PAUSE_MS = 50;
const GENERATED_WITHIN_MS = 30_000;
/** Between two looks whether a label is there. */
const LOOK_EVERY_MS = 10;

/** Milliseconds until a submission has its response, and until the forecast shows its label. */
export interface Times {
  readonly responded: number;
  readonly labelled: number;
}

/** Submits a forecast. */
export function submit(merchant: RawClient, body: string): Promise<Parcel> {
  return merchant.post<Parcel>('/open/v1/forecasts', body);
}

/** Waits until the merchant's forecast shows its label. */
export async function labelled(merchant: RawClient, { po_number: poNumber }: Pick<Parcel, 'po_number'>): Promise<void> {
  const hasLabel = async (): Promise<boolean> =>
    (await merchant.get<{ marketplace_label: string | null }>(`/open/v1/forecasts/${poNumber}`)).marketplace_label !== null;
  await until(hasLabel, { within: GENERATED_WITHIN_MS, what: 'the product label', everyMs: LOOK_EVERY_MS });
}

/** Submits a forecast and waits for its label. */
export async function timesOf(merchant: RawClient, body: string): Promise<Times> {
  const startedAt = performance.now();
  const parcel = await submit(merchant, body);
  const responded = performance.now() - startedAt;
  await labelled(merchant, parcel);
  return { responded, labelled: performance.now() - startedAt };
}

/** The times of forecasts that come one after the other. @param measure submits one */
export async function oneAtATime(count: number, measure: () => Promise<Times>): Promise<Times[]> {
  const times: Times[] = [];
  for (let index = 0; index < count; index += 1) {
    times.push(await measure());
    await pause(PAUSE_MS);
  }
  return times;
}
