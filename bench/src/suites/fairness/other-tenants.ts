import { until } from '@parcelway/kernel/testing/until';
import { steadily } from '../../closed-loop.ts';
import { type Parcel, submissionWriter, weighingOf } from '../../parcels.ts';
import type { RawClient } from '../../raw-client.ts';
import type { Receiver } from '../../receiver.ts';

const ARRIVE_WITHIN_MS = 120_000;
/** Submissions a second of all of them together: the busy tenant has nine tenths of what is done, and more. */
export const OTHERS_PER_SECOND = 15;
/** A parcel is weighed so long after its submission, milliseconds. */
const WEIGHED_AFTER_MS = 500;

/** Tenants that submit now and then, each with a client of its own, and what their parcels go through. */
export interface OtherTenants {
  readonly merchants: readonly RawClient[];
  readonly warehouse: RawClient;
  readonly warehouseCode: string;
  readonly receiver: Receiver;
}

/** What they notice. Milliseconds. */
export interface OtherTimes {
  /** Of each submission. */
  readonly submissions: readonly number[];
  /** From the report of a weighing to its webhook. */
  readonly webhooks: readonly number[];
}

const pause = (milliseconds: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, milliseconds));

/** Lets the tenants submit in turn at a steady rate, has each parcel weighed, and waits for all webhooks. */
export async function timesOfOthers(tenants: OtherTenants, milliseconds: number): Promise<OtherTimes> {
  const { merchants, warehouse, warehouseCode, receiver } = tenants;
  const write = submissionWriter(warehouseCode, 1);
  const submissions: number[] = [];
  const reportedAt = new Map<string, number>();
  await steadily(OTHERS_PER_SECOND, Math.round((OTHERS_PER_SECOND * milliseconds) / 1000), async (index) => {
    const begun = performance.now();
    const parcel = await (merchants[index % merchants.length] as RawClient).post<Parcel>('/open/v1/forecasts', write());
    submissions.push(performance.now() - begun);
    await pause(WEIGHED_AFTER_MS);
    reportedAt.set(parcel.po_number, performance.now());
    await warehouse.send('POST', '/warehouse/v1/events', `{"events":[${weighingOf(warehouseCode, parcel)}]}`);
  });
  const numbers = [...reportedAt.keys()];
  await until(() => numbers.every((number) => receiver.arrivedAt.has(number)), { within: ARRIVE_WITHIN_MS, what: 'all webhooks' });
  const webhooks = numbers.map((number) => (receiver.arrivedAt.get(number) as number) - (reportedAt.get(number) as number));
  return { submissions, webhooks };
}
