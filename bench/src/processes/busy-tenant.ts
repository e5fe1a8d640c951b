import { endAfter } from '../child-server.ts';
import { closedLoop } from '../closed-loop.ts';
import { type Parcel, submissionWriter, weighingOf } from '../parcels.ts';
import { RawClient } from '../raw-client.ts';
import { startReceiver } from '../receiver.ts';
import type { BusyTenant, BusyTenantResult } from '../suites/fairness/busy-tenant.ts';

/*
 * One tenant that asks for as much as it can, in a process of its own: submissions over many connections, and for each of them a weighing in a batch
 * and a webhook. It says where its webhooks go, begins when its parent says for how long, and prints what was done.
 */

const CONNECTIONS = 32;
/** Weighings of a call. */
const BATCH = 20;
const ENDS_AFTER_MS = 600_000;

async function load(tenant: BusyTenant): Promise<BusyTenantResult> {
  const { origins, ca, key, warehouseKey, warehouseCode, milliseconds } = tenant;
  const merchant = new RawClient(origins, CONNECTIONS, { 'x-api-key': key }, ca);
  const warehouse = new RawClient(origins, 4, { 'x-api-key': warehouseKey }, ca);
  const write = submissionWriter(warehouseCode, 1, undefined, 'BUSY');
  const waiting: Parcel[] = [];
  let weighed = 0;
  const { done, perSecond } = await closedLoop(CONNECTIONS, milliseconds, async () => {
    waiting.push(await merchant.post<Parcel>('/open/v1/forecasts', write()));
    if (waiting.length < BATCH) return;
    const batch = waiting.splice(0, BATCH);
    await warehouse.send('POST', '/warehouse/v1/events', `{"events":[${batch.map((parcel) => weighingOf(warehouseCode, parcel))}]}`);
    weighed += batch.length;
  });
  await Promise.all([merchant.close(), warehouse.close()]);
  return { submitted: done, perSecond, weighed };
}

endAfter(ENDS_AFTER_MS);
const receiver = await startReceiver();
process.send?.({ origin: receiver.origin });
process.on('message', (message: BusyTenant | 'received') => {
  if (message === 'received') process.send?.({ received: receiver.arrivedAt.size });
  else
    load(message).then(
      (result) => process.send?.(result),
      (error: unknown) => {
        throw error;
      },
    );
});
