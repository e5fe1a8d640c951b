import type { ForecastDetail } from '@parcelway/contracts/forecast-api';
import type { TrackingResult } from '@parcelway/contracts/tracking-api';
import { newPoNumber } from '@parcelway/harness/merchant';
import { until } from '@parcelway/kernel/testing/until';
import type { FaultStage } from './fault.ts';

/** Status of a parcel whose way has ended. */
const COMPLETED = 6;
const WITHIN_MS = 30_000;

/** What a merchant knows of a parcel. */
export interface ParcelView {
  readonly forecast: ForecastDetail;
  readonly tracking: TrackingResult;
  /** `webhook-id`s that the first receiver got. */
  readonly received: readonly string[];
}

type Stage = Pick<FaultStage, 'merchant' | 'receivers'>;

/** What the merchant knows of a parcel now. */
export async function viewOf({ merchant, receivers }: Stage, poNumber: string): Promise<ParcelView> {
  const ids = receivers[0].received.filter(({ body }) => body.data.po_number === poNumber).map(({ id }) => id);
  return { forecast: await merchant.forecast(poNumber), tracking: await merchant.tracking(poNumber), received: [...new Set(ids)].sort() };
}

/** Takes a parcel through every step, from the submission to the signature. @returns its po_number */
export async function travel(stage: Stage): Promise<string> {
  const { merchant, receivers } = stage;
  const po_number = newPoNumber('WAY');
  await merchant.submit({ poNumber: po_number, trackingNumber: po_number });
  await merchant.simulate({ po_number, step: 'arrive' });
  await merchant.simulate({ po_number, step: 'weigh', photos: 2 });
  await merchant.simulate({ po_number, step: 'process' });
  await merchant.simulate({ po_number, step: 'dispatch' });
  await merchant.untilShipped(po_number, WITHIN_MS);
  for (const admin_status of ['In Transit', 'Delivery Success'] as const) {
    await merchant.simulate({ po_number, step: 'track', admin_status });
    const isIt = ({ body }: { readonly body: { readonly data: Record<string, unknown> } }): boolean =>
      body.data.po_number === po_number && body.data.admin_status === admin_status;
    await until(() => receivers[0].received.some(isIt), { within: WITHIN_MS, what: `${admin_status} of ${po_number} in a webhook` });
  }
  await merchant.untilStatus(po_number, COMPLETED, WITHIN_MS);
  return po_number;
}
