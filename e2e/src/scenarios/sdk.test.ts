import { readFileSync } from 'node:fs';
import { afterAll, afterEach, describe, expect, test } from '@jest/globals';
import { newPoNumber } from '@parcelway/harness/merchant';
import { samplePdf, samplePng } from '@parcelway/harness/sample-data';
import type { ReceivedWebhook } from '@parcelway/harness/webhook-receiver';
import { until } from '@parcelway/kernel/testing/until';
import { Parcelway, verifyWebhook, type WebhookEvent } from '@parcelway/sdk';
import { useStageWithMerchant } from '../use-stage.ts';

const { stage, merchant } = useStageWithMerchant();
const clients: Parcelway[] = [];

afterAll(() => {
  for (const client of clients) client.close();
});

/** A client as a merchant makes it from quickstart.json. */
function clientWith(apiKey: string): Parcelway {
  const { base_url: baseUrl, ca_file } = stage.platform.quickstart;
  const client = new Parcelway({ apiKey, baseUrl, ca: readFileSync(ca_file) });
  clients.push(client);
  return client;
}

const item = { sku_code: 'TSHIRT-M', product_name_en: 'Cotton T-shirt', forecast_quantity: 2 };

const read = (webhook: ReceivedWebhook, secret: string | readonly string[]): WebhookEvent =>
  verifyWebhook(webhook.rawBody, webhook.headers, secret);

async function untilStatus(parcelway: Parcelway, poNumber: string, status: number): Promise<void> {
  await until(async () => (await parcelway.forecasts.get(poNumber)).status === status, { what: `${poNumber} to have status ${status}` });
}

describe('the way of a parcel with the SDK', () => {
  const feedEnd = new AbortController();
  afterEach(() => feedEnd.abort(new Error('The test has ended')));

  test('from the PDFs to the delivery, with webhooks verified and the feed followed', async () => {
    const parcelway = clientWith((await stage.operator.newMerchant()).identity.key);
    const receiver = await stage.receiver();
    const { secret } = await parcelway.webhookEndpoints.create({ url: receiver.url, description: 'Shop' });
    const followed: string[] = [];
    const following = (async () => {
      for await (const event of parcelway.events.list({ follow: true, pollMs: 100 }, { signal: feedEnd.signal })) {
        followed.push(event.type === 'tracking.changed' ? event.data.admin_status : event.type);
        if (event.type === 'tracking.changed' && event.data.is_terminal) return;
      }
    })();
    // Awaited at the end; until then a failure of it is nobody's.
    following.catch(() => undefined);

    const po_number = newPoNumber();
    const pdf = samplePdf(po_number);
    const label = await parcelway.files.uploadPdf({ name: 'Etikett Größe 1.pdf', content: pdf });
    const note = await parcelway.files.uploadPdf({ name: 'note.pdf', content: samplePdf(`note ${po_number}`) });
    const opened = await parcelway.files.open(label.url);
    expect([opened.mediaType, Buffer.from(opened.content).equals(pdf), label.origin_name]).toEqual([
      'application/pdf',
      true,
      'Etikett Größe 1.pdf',
    ]);
    const { warehouses } = await parcelway.warehouses.list();
    expect(warehouses.map(({ code }) => code)).toContain(stage.clerk.code);

    const forecast = {
      po_number,
      warehouse_code: stage.clerk.code,
      shipping_label: label.url,
      shipping_note: note.url,
      items: [{ ...item, tracking_number: `EXP ${po_number}` }],
    };
    const accepted = await parcelway.forecasts.submit(forecast);
    let replayed: string | undefined;
    const again = await parcelway.forecasts.submit(forecast, {
      onResponse: ({ headers }) => {
        replayed = headers['idempotent-replayed'];
      },
    });
    expect([again.forecast_no, replayed]).toEqual([accepted.forecast_no, 'true']);

    const { warehouse } = clientWith((await stage.operator.issueKey({ warehouse_code: stage.clerk.code })).key);
    const picture = samplePng(po_number);
    const photo = await warehouse.uploadPhoto({ name: 'scale.png', content: picture });
    const common = { occurred_at: new Date().toISOString(), warehouse_code: stage.clerk.code, forecast_no: accepted.forecast_no };
    const measures = { length_cm: 42.5, width_cm: 31, height_cm: 12.25, weight_kg: 1.84 };
    const reported = await warehouse.reportEvents([
      { ...common, event_id: `${po_number}-1`, type: 'arrival' },
      { ...common, event_id: `${po_number}-2`, type: 'weighing', ...measures, photo_ids: [photo.photo_id] },
    ]);
    expect(reported).toEqual({ accepted: 2, duplicates: 0, rejected: [], waiting: 0, warnings: [] });
    const weighed = read(await receiver.waitForEvent('parcel.weighed', po_number), secret);
    if (weighed.type !== 'parcel.weighed') throw new Error(weighed.type);
    expect(weighed.data).toMatchObject({ po_number, status: 3 });
    const weighing = await parcelway.forecasts.weighing(po_number);
    expect(weighing).toMatchObject({ ...measures, status: 3 });
    const image = await parcelway.files.open(String(weighing.weighing_images[0]?.image_url));
    expect(Buffer.from(image.content).equals(picture)).toBe(true);

    await parcelway.sandbox.simulate({ po_number, step: 'dispatch' });
    await untilStatus(parcelway, po_number, 5);
    await parcelway.sandbox.simulate({ po_number, step: 'track', admin_status: 'In Transit' });
    await receiver.waitFor((webhook) => webhook.body.data.admin_status === 'In Transit');
    await parcelway.sandbox.simulate({ po_number, step: 'track', admin_status: 'Delivery Success' });
    const last = read(await receiver.waitFor((webhook) => webhook.body.data.admin_status === 'Delivery Success'), secret);
    expect(last).toMatchObject({ type: 'tracking.changed', data: { is_terminal: true, previous_admin_status: 'In Transit' } });
    expect(await parcelway.forecasts.tracking(po_number)).toMatchObject({ is_terminal: true, latest_status: 'Delivery Success' });

    await until(() => followed.length === 3, { what: 'three events in the feed' });
    await following;
    expect(followed).toEqual(['parcel.weighed', 'In Transit', 'Delivery Success']);
  }, 60_000);
});

const csv = (rows: readonly (readonly (string | number)[])[]): Buffer =>
  Buffer.from(['订单号;仓库;类型;SKU;英文品名;数量', ...rows.map((row) => row.join(';'))].join('\r\n'));

describe('an import with the SDK', () => {
  test('submits the forecasts of an import; failed rows can be corrected and imported again', async () => {
    const parcelway = clientWith(merchant.identity.key);
    const { warehouseCode } = merchant.identity;
    const [first, second] = [newPoNumber(), newPoNumber()];
    const content = csv([
      [first, warehouseCode, 1, 'A', 'Lamp', 2],
      [second, warehouseCode, 1, 'B', 'Lamp', 0],
      [first, '', '', 'C', 'Shade', 3],
    ]);
    // The merchant's warehouse is known everywhere once a forecast has been accepted.
    await merchant.untilAccepted(await merchant.body({ forecastType: 1 }));
    const begun = await parcelway.imports.create({ name: '预报.csv', content });
    expect(begun).toMatchObject({ state: 'running', file_name: '预报.csv', finish_time: null });
    const phases: string[] = [];
    const done = await parcelway.imports.waitUntilDone(begun.import_id, { onProgress: ({ phase }) => phases.push(phase) });
    expect(phases.at(-1)).toBe('finished');
    expect(done).toMatchObject({ state: 'done', total: 3, accepted: 2, failed: 1, forecasts_accepted: 1, forecasts_failed: 1 });
    expect((await parcelway.forecasts.get(first)).items).toHaveLength(2);
    await merchant.simulate({ po_number: first, step: 'weigh' });

    const failed: string[] = [];
    for await (const row of parcelway.imports.rows(begun.import_id, { state: 'failed', limit: 1 })) {
      failed.push(`${row.row}: ${row.errors.map(({ field, message }) => `${field}, ${message}`).join()}`);
    }
    expect(failed).toEqual(['3: 数量, 数量 must be at least 1']);
    const { content: again, mediaType } = await parcelway.imports.failedCsv(begun.import_id);
    expect(mediaType).toBe('text/csv; charset=utf-8');
    const workbook = await parcelway.imports.failedRows(begun.import_id, { format: 'xlsx' });
    expect(workbook.mediaType).toBe('application/vnd.openxmlformats-officedocument.spreadsheetml.sheet');
    const { rows } = await parcelway.imports.preview({ name: 'failed.xlsx', content: workbook.content });
    expect(rows).toMatchObject([{ po_number: second, errors: [{ field: '数量' }] }]);
    const corrected = Buffer.from(again).toString().replace(',0,', ',5,');
    const retried = await parcelway.imports.create({ name: 'failed.csv', content: Buffer.from(corrected) });
    expect(await parcelway.imports.waitUntilDone(retried.import_id)).toMatchObject({ accepted: 1, failed: 0, warnings: [] });
    const listed: string[] = [];
    for await (const one of parcelway.imports.list({ limit: 1 })) listed.push(one.import_id);
    expect(listed).toEqual([retried.import_id, begun.import_id]);
  });
});
