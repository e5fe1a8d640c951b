import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { test } from '@jest/globals';
import type { ForecastImport } from '@parcelway/contracts/import-api';
import { expectRoute } from '@parcelway/harness/route-call';
import type { WebhookReceiver } from '@parcelway/harness/webhook-receiver';
import { until } from '@parcelway/kernel/testing/until';
import { deliveries, settled } from '../../subscription.ts';
import { useMerchant, useOpened } from '../../use-stage.ts';
import type { Look } from '../page-window.ts';
import { parcelInTrouble, parcelUnderWay } from './parcels.ts';
import { useConsole } from './use-console.ts';

/* Takes the pictures of docs/console.md. Runs with UPDATE_SCREENSHOTS=1 alone, and needs a font with Chinese letters. */

const folder = fileURLToPath(new URL('../../../../docs/images/', import.meta.url));
const { stage, signedIn } = useConsole({ WEBHOOK_RETRY_SCHEDULE: '0s,200ms,400ms' });
const owner = useMerchant(stage, 'Northwind Trading');

/** A picture as the sandbox takes it. */
async function photoOfWeighing(): Promise<{ content: Uint8Array; type: string }> {
  const other = await stage.operator.newMerchant();
  const { po_number } = await other.submit({ forecastType: 1 });
  await other.simulate({ po_number, step: 'weigh', photos: 1 });
  const { weighing_images } = await other.untilWeighing(po_number, (data) => data.weighing_images.length > 0);
  const { bytes, headers } = await other.client.fetchBytes(String(weighing_images[0]?.image_url));
  return { content: bytes, type: String(headers['content-type']) };
}

/** An import of which one parcel has failed. @returns its id */
async function importOfParcels(): Promise<string> {
  const rows = Array.from(
    { length: 8 },
    (_, index) => `PO-2026-1119-${index + 1},${owner.identity.warehouseCode},1,SKU-1,Lamp,${index === 6 ? 0 : 2}`,
  );
  const content = Buffer.from(['PO number,Warehouse,Type,SKU,Product name,Quantity', ...rows].join('\r\n'));
  const { data } = await owner.client.upload<ForecastImport>('/open/v1/forecasts/import', 'orders.csv', content, 'text/csv');
  const path = { import_id: data.import_id };
  await until(async () => (await expectRoute<ForecastImport>(owner.client, 'getImport', { path })).state === 'done');
  return data.import_id;
}

/** A receiver that responds like a broken shop, then parcels in every status. */
async function playScene(receiver: WebhookReceiver) {
  const importId = await importOfParcels();
  await parcelInTrouble(stage.clerk, owner, { poNumber: 'PO-2026-1120-007', photo: await photoOfWeighing() });
  receiver.respond = (_webhook, res) => res.writeHead(204).end();
  const endpoint = await owner.createEndpoint({
    url: receiver.url,
    description: 'Shop back end',
    metadata: { team: 'logistics' },
    rate_limit: 20,
  });
  const endpointId = endpoint.endpoint_id;
  await parcelUnderWay(owner, 'PO-2026-1121-001');
  await until(async () => (await deliveries(owner, endpointId, { status: 'succeeded' })).length >= 3);
  const broken = { error: 'stock database is read-only', node: 'db-2' };
  receiver.respond = (_webhook, res) => res.writeHead(503, { 'content-type': 'application/json' }).end(JSON.stringify(broken));
  await owner.submit({ poNumber: 'PO-2026-1121-002', forecastType: 1 });
  await owner.simulate({ po_number: 'PO-2026-1121-002', step: 'weigh' });
  const failed = await settled(owner, endpointId, 'failed');
  receiver.respond = (_webhook, res) => res.writeHead(429, { 'retry-after': '300' }).end('slow down');
  await owner.submit({ poNumber: 'PO-2026-1121-003', forecastType: 1 });
  await owner.simulate({ po_number: 'PO-2026-1121-003', step: 'weigh' });
  const waiting = await until(async () =>
    (await deliveries(owner, endpointId, { status: 'pending' })).find((delivery) => delivery.next_attempt_reason === 'retry_after'),
  );
  await owner.submit({ poNumber: 'PO-2026-1121-004', forecastType: 1 });
  await owner.submit({ poNumber: 'PO-2026-1121-005' });
  await owner.cancel('PO-2026-1121-005');
  return { importId, endpointId, failedId: failed.delivery_id, waitingId: waiting.delivery_id };
}

const scene = useOpened('scene', async () => {
  mkdirSync(folder, { recursive: true });
  return playScene(await stage.receiver());
});

const pictures: ReadonlyArray<readonly [name: string, hash: () => string, look: Look]> = [
  ['console-parcels', () => '#/parcels', {}],
  ['console-parcel', () => '#/parcels/PO-2026-1121-001', {}],
  ['console-findings', () => '#/parcels/PO-2026-1120-007', {}],
  ['console-import', () => `#/imports/${scene.importId}`, {}],
  ['console-endpoint', () => `#/webhooks/${scene.endpointId}`, { colorScheme: 'dark' }],
  ['console-failed', () => `#/webhooks/${scene.endpointId}/deliveries/${scene.failedId}`, {}],
  ['console-waiting-zh', () => `#/webhooks/${scene.endpointId}/deliveries/${scene.waitingId}`, { locale: 'zh-CN', colorScheme: 'dark' }],
  ['console-events', () => '#/events', { colorScheme: 'dark' }],
  ['console-new-endpoint', () => '#/webhooks/new', {}],
  ['console-narrow', () => '#/parcels/PO-2026-1121-001', { width: 380, locale: 'zh-CN' }],
];

test.each(pictures)('%s', async (name, hash, look) => {
  const at = await signedIn(owner, hash(), look);
  await at.until('[...document.images].every((image) => image.complete && image.naturalWidth > 0)');
  await at.page.mouse.move(0, 0);
  await at.page.screenshot({ path: join(folder, `${name}.png`), fullPage: true });
});
