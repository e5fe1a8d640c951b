import { describe, expect, test } from '@jest/globals';
import type { WeighingData } from '@parcelway/contracts/weighing-api';
import { newPoNumber } from '@parcelway/harness/merchant';
import { samplePng } from '@parcelway/harness/sample-data';
import { WebhookReceiver } from '@parcelway/harness/webhook-receiver';
import { useStage } from '../use-stage.ts';

const stage = useStage();

describe('the way of a direct-mail parcel', () => {
  test('from the submission to the signature, with a webhook at every change', async () => {
    const merchant = await stage.operator.newMerchant();
    const receiver = await stage.receiver();
    const { secret } = await merchant.createEndpoint({ url: receiver.url });
    const poNumber = newPoNumber();
    // A webhook is sent only when the tenant can query: the receiver queries before it responds.
    let onReceipt: Promise<WeighingData> | undefined;
    receiver.respond = (webhook, res) => {
      if (webhook.type === 'parcel.weighed') onReceipt = merchant.weighing(poNumber);
      res.writeHead(204).end();
    };

    const accepted = await merchant.submit({ poNumber, trackingNumber: `EXP ${poNumber}`, items: 3 });
    expect(accepted).toMatchObject({ po_number: poNumber, item_count: 3, status: 'ACCEPTED', warnings: [] });
    expect(await merchant.forecast(poNumber)).toMatchObject({ forecast_no: accepted.forecast_no, status: 1, status_name: 'ACCEPTED' });
    expect(await merchant.weighing(poNumber)).toMatchObject({ status: 1, length_cm: null, weight_kg: null, weighing_images: [] });
    expect(await merchant.tracking(poNumber)).toMatchObject({ is_shipped: false, is_terminal: false, latest_status: '', nodes: [] });

    const { clerk } = stage;
    const forecast_no = accepted.forecast_no;
    await clerk.report(clerk.event({ type: 'arrival', forecast_no }));
    await merchant.untilStatus(poNumber, 2);

    const picture = samplePng(`weigher ${poNumber}`);
    const photo = await clerk.upload('scale.png', picture);
    const measures = { length_cm: 42.5, width_cm: 31, height_cm: 12.25, weight_kg: 1.84 };
    await clerk.report(clerk.weighing({ express_no: `exp-${poNumber}`, photo_ids: [photo.data.photo_id], ...measures }));
    const weighed = await receiver.waitForEvent('parcel.weighed', poNumber);
    expect(await onReceipt).toMatchObject({ po_number: poNumber, status: 3, ...measures });
    expect(weighed.body.data).toMatchObject({ event_seq: 1, environment: 'sandbox', forecast_no, po_number: poNumber, status: 3 });
    expect(WebhookReceiver.verifies(weighed, secret)).toBe(true);
    const [image] = (await merchant.weighing(poNumber)).weighing_images;
    expect(image).toMatchObject({ express_no: `exp-${poNumber}`, file_size: picture.length });
    const opened = await merchant.client.fetchBytes(String(image?.image_url));
    expect(opened.bytes.equals(picture)).toBe(true);

    await clerk.report(clerk.event({ type: 'processing', forecast_no }));
    await merchant.untilStatus(poNumber, 4);

    await clerk.report(clerk.event({ type: 'dispatch', forecast_no, carrier_code: 'simulated', tracking_number: `LAST${poNumber}` }));
    await merchant.untilStatus(poNumber, 5);
    expect(await merchant.untilShipped(poNumber)).toMatchObject({ is_terminal: false, latest_status: '', nodes: [] });

    await merchant.simulate({ po_number: poNumber, step: 'track', admin_status: 'In Transit', address: 'Shenzhen', content: 'Departed' });
    const moving = await receiver.waitFor((webhook) => webhook.body.data.admin_status === 'In Transit');
    expect(moving.body.data).toMatchObject({ event_seq: 2, forecast_no, previous_admin_status: '', is_terminal: false });

    await merchant.simulate({ po_number: poNumber, step: 'track', admin_status: 'Delivery Success', content: 'Signed' });
    const signed = await receiver.waitFor((webhook) => webhook.body.data.admin_status === 'Delivery Success');
    expect(signed.body.data).toMatchObject({ event_seq: 3, previous_admin_status: 'In Transit', is_terminal: true });
    const tracking = await merchant.tracking(poNumber);
    expect(tracking).toMatchObject({ is_shipped: true, is_terminal: true, latest_status: 'Delivery Success' });
    expect(tracking.nodes.map((node) => node.admin_status)).toEqual(['Delivery Success', 'In Transit']);

    const done = await merchant.untilStatus(poNumber, 6);
    expect(done.history.map((change) => change.status)).toEqual([1, 2, 3, 4, 5, 6]);
    expect(receiver.received.map((webhook) => webhook.body.data.event_seq)).toEqual([1, 2, 3]);
  }, 60_000);
});

describe('the way of a replenishment parcel', () => {
  test('ends on the shelf; a dispatch report does not ship it', async () => {
    const merchant = await stage.operator.newMerchant();
    const poNumber = newPoNumber();
    const { forecast_no } = await merchant.submit({ poNumber, forecastType: 1 });
    const { clerk } = stage;
    await clerk.report(clerk.event({ type: 'processing', forecast_no }));
    await merchant.untilStatus(poNumber, 4);
    await clerk.report(clerk.event({ type: 'put_away', forecast_no }));
    const done = await merchant.untilStatus(poNumber, 6);
    // Steps may be skipped: it was never reported as arrived or weighed.
    expect(done.history.map((change) => change.status)).toEqual([1, 4, 6]);
  });
});
