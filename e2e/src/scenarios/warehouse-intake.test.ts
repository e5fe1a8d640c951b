import { describe, expect, test } from '@jest/globals';
import { newPoNumber } from '@parcelway/harness/merchant';
import { until } from '@parcelway/kernel/testing/until';
import { useStage } from '../use-stage.ts';

const stage = useStage();

async function unclaimed(more = ''): Promise<Array<Record<string, unknown>>> {
  const path = `/admin/v1/unclaimed?limit=1000${more}`;
  const { parcels } = await stage.operator.admin.expectOk<{ parcels: Array<Record<string, unknown>> }>(path);
  return parcels;
}

describe('a parcel without a forecast', () => {
  test('waits, and is applied when its forecast arrives', async () => {
    const receiver = await stage.receiver();
    const owner = await stage.operator.newMerchant();
    await owner.createEndpoint({ url: receiver.url });
    const express_no = newPoNumber('EARLY');
    const { clerk } = stage;
    const { photo_id } = await clerk.photo();
    const event = clerk.weighing({ express_no: express_no.toLowerCase(), weight_kg: 7.25, photo_ids: [photo_id] });
    await clerk.report(event);
    await until(async () => (await unclaimed()).find((parcel) => parcel.event_id === event.event_id));
    const { po_number } = await owner.submit({ trackingNumber: express_no });
    await receiver.waitForEvent('parcel.weighed', po_number);
    const data = await owner.weighing(po_number);
    expect(data).toMatchObject({ status: 3, weight_kg: 7.25 });
    expect(data.weighing_images).toHaveLength(1);
    expect((await unclaimed()).map((parcel) => parcel.event_id)).not.toContain(event.event_id);
  });
});
