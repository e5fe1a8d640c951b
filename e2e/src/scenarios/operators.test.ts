import { describe, expect, test } from '@jest/globals';
import type { CreatedOperator } from '@parcelway/contracts/operator-api';
import type { ParcelSearchResult } from '@parcelway/contracts/parcel-search-api';
import type { PlatformQueues } from '@parcelway/contracts/queues-api';
import { newPoNumber } from '@parcelway/harness/merchant';
import { parcelctlJson } from '@parcelway/harness/parcelctl';
import { until } from '@parcelway/kernel/testing/until';
import { useSharedStage } from '../use-stage.ts';

/* Operators with tokens of their own, and what they do with parcelctl. */

const stage = useSharedStage();
const main = (): Record<string, string> => ({ DATA_DIR: stage.platform.dataDirectory });

/** An operator, as whom parcelctl acts. */
async function operator(name: string, role: string): Promise<Record<string, string>> {
  const { token } = await parcelctlJson<CreatedOperator>(['operator', 'create', name, '--role', role], main());
  return { PARCEL_ADMIN_URL: stage.platform.quickstart.admin.url, PARCEL_ADMIN_TOKEN: token };
}

describe('parcelctl queues', () => {
  test('says what waits in each service', async () => {
    const reader = await operator('reader-3', 'read');
    const queues = () => parcelctlJson<PlatformQueues>(['queues'], reader);
    await stage.clerk.report(stage.clerk.event({ type: 'arrival', express_no: newPoNumber('LOST') }));
    const isUnclaimed = async (): Promise<boolean> =>
      (await queues()).queues.some(({ queue, waiting }) => queue === 'unclaimed_events' && waiting > 0);
    await until(isUnclaimed, { what: 'the event to be counted' });
    const known = await queues();
    expect(known.unknown).toEqual([]);
    const named = known.queues.map(({ service, queue }) => `${service} ${queue}`);
    for (const name of ['gateway outbox', 'forecast outbox', 'forecast events', 'webhook webhook_deliveries', 'tracking tracking_polls'])
      expect(named).toContain(name);
  });
});

describe('parcelctl parcel find', () => {
  test('finds a parcel of any tenant by each of its numbers, with its weighing', async () => {
    const reader = await operator('reader-2', 'read');
    const owner = await stage.operator.newMerchant();
    const number = newPoNumber('SF');
    const { forecast_no, po_number } = await owner.submit({ trackingNumber: number });
    await stage.clerk.untilForecast(forecast_no);
    const weighing = stage.clerk.weighing({ express_no: number, weight_kg: 7.25 });
    await stage.clerk.report(weighing);
    const find = (text: string) => parcelctlJson<ParcelSearchResult>(['parcel', 'find', text], reader);
    const found = await until(
      async () => {
        const { parcels } = await find(po_number);
        return parcels[0]?.weighing ? parcels : undefined;
      },
      { what: 'the weighing of the parcel' },
    );
    expect(found).toMatchObject([
      { tenant_id: owner.identity.tenantId, forecast_no, po_number, status_name: 'WEIGHED', weighing: { weight_kg: 7.25 }, dispatch: null },
    ]);
    const matches = [];
    for (const text of [forecast_no.toLowerCase(), number.toLowerCase(), String(weighing['event_id'])])
      matches.push((await find(text)).parcels.map((parcel) => [parcel.forecast_no, parcel.matched_by]));
    expect(matches).toEqual([[[forecast_no, 'forecast_no']], [[forecast_no, 'tracking_number']], [[forecast_no, 'event_id']]]);
    expect((await find(`${po_number}X`)).parcels).toEqual([]);
  }, 60_000);
});
