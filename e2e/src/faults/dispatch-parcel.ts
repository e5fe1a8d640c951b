import type { ApiResponse } from '@parcelway/harness/api-client';
import { type Merchant, newPoNumber } from '@parcelway/harness/merchant';
import { callRoute } from '@parcelway/harness/route-call';
import { until } from '@parcelway/kernel/testing/until';

const WITHIN_MS = 60_000;
const AGAIN_MS = 500;
const SHIPPED = 5;
/** Parcels on their way to a carrier at the same time: these tests are of sources, and not of load. */
const MAX_AT_ONCE = 8;

let underWay = 0;
const waiting: (() => void)[] = [];

/** Sends a request again as long as it gets 50301, as clients do. @throws Error when it gets anything else than success */
async function untilTaken(send: () => Promise<ApiResponse<unknown>>, what: string): Promise<void> {
  const responded = async (): Promise<ApiResponse<unknown> | undefined> => {
    const response = await send();
    return response.code === '50301' ? undefined : response;
  };
  const { code, text } = await until(responded, { within: WITHIN_MS, everyMs: AGAIN_MS, what });
  if (code !== '0') throw new Error(`${what}: ${text}`);
}

async function dispatch(merchant: Merchant, carrier_code: string, tracking_number: string): Promise<string> {
  const body = await merchant.body({ poNumber: newPoNumber('SOURCE') });
  const po_number = String(body['po_number']);
  await untilTaken(() => merchant.submitBody(body), `${po_number} to be accepted`);
  const simulation = { po_number, step: 'dispatch', carrier_code, tracking_number };
  await untilTaken(() => callRoute(merchant.client, 'simulate', { body: simulation }), `${po_number} to be dispatched`);
  await merchant.untilStatus(po_number, SHIPPED, WITHIN_MS);
  return po_number;
}

/** Submits a forecast and hands its parcel to a carrier; waits while many others are on their way. @returns its po_number */
export async function dispatchParcel(merchant: Merchant, carrierCode: string, trackingNumber: string): Promise<string> {
  if (underWay >= MAX_AT_ONCE) await new Promise<void>((resolve) => waiting.push(resolve));
  else underWay += 1;
  try {
    return await dispatch(merchant, carrierCode, trackingNumber);
  } finally {
    // Whoever waits next takes the place.
    const next = waiting.shift();
    if (next === undefined) underWay -= 1;
    else next();
  }
}
