import type { TrackingResult } from '@parcelway/contracts/tracking-api';
import type { ApiResponse } from '@parcelway/harness/api-client';
import { newPoNumber } from '@parcelway/harness/merchant';
import { contractBreaches, pathOf, routeById } from '@parcelway/harness/route-call';
import { until } from '@parcelway/kernel/testing/until';
import type { FaultStage } from './fault.ts';

const route = routeById('queryTracking');

/** A tracking query with its time in milliseconds. */
export interface TimedResponse {
  readonly ms: number;
  readonly response: ApiResponse<TrackingResult>;
}

/** Asks for the tracking of a parcel. */
export async function query({ merchant }: Pick<FaultStage, 'merchant'>, po_number: string): Promise<TimedResponse> {
  const at = performance.now();
  const response = await merchant.client.call<TrackingResult>(pathOf(route, { query: { po_number } }));
  return { ms: performance.now() - at, response };
}

/** Hands a parcel to a carrier. @returns its po_number */
export async function dispatched({ merchant }: Pick<FaultStage, 'merchant'>, carrier_code: string, prefix = 'TRACK'): Promise<string> {
  const { po_number } = await merchant.submit({ poNumber: newPoNumber('SENT') });
  await merchant.simulate({ po_number, step: 'dispatch', carrier_code, tracking_number: newPoNumber(prefix) });
  await merchant.untilStatus(po_number, 5, 20_000);
  // The service that asks carriers hears of the dispatch on a way of its own; before, the response is that nothing was shipped.
  const asked = async (): Promise<boolean> => {
    const { response } = await query({ merchant }, po_number);
    return response.code !== '0' || response.data.is_shipped === true;
  };
  await until(asked, { within: 20_000, what: `the dispatch of ${po_number} to reach tracking` });
  return po_number;
}

/** What is wrong with responses that have to be 50001 within `maxMs`. */
export function notRefused(responses: readonly TimedResponse[], maxMs: number): string[] {
  return responses.flatMap(({ ms, response }) => [
    ...contractBreaches(route, response),
    ...(response.code === '50001' ? [] : [`a query got ${response.status} ${response.code}`]),
    ...(ms > maxMs ? [`a query took ${ms.toFixed(0)} ms instead of ${maxMs} at most`] : []),
  ]);
}

/** What is wrong with responses that have to be good within `maxMs`. */
export function notServed(responses: readonly TimedResponse[], maxMs: number): string[] {
  return responses.flatMap(({ ms, response }) => [
    ...(response.code === '0' ? [] : [`another carrier's parcel got ${response.status} ${response.code}`]),
    ...(ms > maxMs ? [`another carrier's parcel took ${ms.toFixed(0)} ms`] : []),
  ]);
}

/** The longest of the responses, such as `3.1 s`. */
export function slowest(responses: readonly TimedResponse[]): string {
  return `${(Math.max(...responses.map(({ ms }) => ms)) / 1000).toFixed(1)} s`;
}

/** `webhook-id`s of the changes of a parcel that the merchant received. */
export function publishedChanges({ receivers }: Pick<FaultStage, 'receivers'>, poNumber: string): number {
  const changes = receivers[0].received.filter(({ type, body }) => type === 'tracking.changed' && body.data.po_number === poNumber);
  return new Set(changes.map(({ id }) => id)).size;
}
