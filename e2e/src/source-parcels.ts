import type { ApiResponse } from '@parcelway/harness/api-client';
import { type Merchant, newPoNumber } from '@parcelway/harness/merchant';
import type { SignedPush } from '@parcelway/harness/sources/source-server';
import type { Stage } from './stage.ts';

/** A tracking number that no other call gives, in the form in which the platform keeps numbers. */
export function newTrackingNumber(prefix: string): string {
  return newPoNumber(prefix).replaceAll('-', '');
}

/** Submits a forecast and hands its parcel to a carrier. @returns its po_number */
export async function dispatchedWith(owner: Merchant, carrier_code: string, tracking_number: string): Promise<string> {
  const { po_number } = await owner.submit();
  await owner.simulate({ po_number, step: 'dispatch', carrier_code, tracking_number });
  await owner.untilStatus(po_number, 5);
  return po_number;
}

/** Sends a push to the gateway, without a key. @param path behind `/carriers/v1/`: source and connection */
export async function pushTo(
  stage: Pick<Stage, 'platform'>,
  path: string,
  { body, headers }: Omit<SignedPush, 'body'> & { readonly body: string | Buffer },
): Promise<ApiResponse> {
  const client = stage.platform.client(null);
  try {
    return await client.call(`/carriers/v1/${path}`, { method: 'POST', body, headers: { 'content-type': 'application/json', ...headers } });
  } finally {
    await client.close();
  }
}
