import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';
import type { Merchant } from '@parcelway/harness/merchant';
import type { WebhookReceiver } from '@parcelway/harness/webhook-receiver';
import { until } from '@parcelway/kernel/testing/until';
import type { Browser } from 'playwright-core';
import { Stage } from '../stage.ts';
import { deliveries, settled } from '../subscription.ts';
import { ConsolePage } from './console-page.ts';
import { type Look, launchBrowser } from './page-window.ts';
import { parcelInTrouble, parcelUnderWay } from './parcels.ts';

/* Takes the pictures of docs/console.md. Runs with UPDATE_SCREENSHOTS=1 alone, and needs a font with Chinese letters. */

const folder = fileURLToPath(new URL('../../../docs/images/', import.meta.url));
// Each test opens a browser window; on a machine with other work to do that alone takes seconds.
jest.setTimeout(90_000);

let stage: Stage;
let browser: Browser;
let owner: Merchant;
let endpointId: string;
let failedId: string;
let waitingId: string;

/** A picture as the sandbox takes it. */
async function photoOfWeighing(): Promise<{ content: Uint8Array; type: string }> {
  const other = await stage.operator.newMerchant();
  const { po_number } = await other.submit({ forecastType: 1 });
  await other.simulate({ po_number, step: 'weigh', photos: 1 });
  const { weighing_images } = await other.untilWeighing(po_number, (data) => data.weighing_images.length > 0);
  const { bytes, headers } = await other.client.fetchBytes(String(weighing_images[0]?.image_url));
  return { content: bytes, type: String(headers['content-type']) };
}

/** A receiver with what a broken shop responds, then parcels in every state of their way. */
async function scene(receiver: WebhookReceiver): Promise<void> {
  owner = await stage.operator.newMerchant();
  await parcelInTrouble(stage.clerk, owner, { poNumber: 'PO-2026-1120-007', photo: await photoOfWeighing() });
  receiver.respond = (_webhook, res) => res.writeHead(204).end();
  const endpoint = await owner.createEndpoint({
    url: receiver.url,
    description: 'Shop back end',
    metadata: { team: 'logistics' },
    rate_limit: 20,
  });
  endpointId = endpoint.endpoint_id;
  await parcelUnderWay(owner, 'PO-2026-1121-001');
  await until(async () => (await deliveries(owner, endpointId, { status: 'succeeded' })).length >= 3);
  const broken = { error: 'stock database is read-only', node: 'db-2' };
  receiver.respond = (_webhook, res) => res.writeHead(503, { 'content-type': 'application/json' }).end(JSON.stringify(broken));
  await owner.submit({ poNumber: 'PO-2026-1121-002', forecastType: 1 });
  await owner.simulate({ po_number: 'PO-2026-1121-002', step: 'weigh' });
  failedId = (await settled(owner, endpointId, 'failed')).delivery_id;
  receiver.respond = (_webhook, res) => res.writeHead(429, { 'retry-after': '300' }).end('slow down');
  await owner.submit({ poNumber: 'PO-2026-1121-003', forecastType: 1 });
  await owner.simulate({ po_number: 'PO-2026-1121-003', step: 'weigh' });
  const waiting = await until(async () =>
    (await deliveries(owner, endpointId, { status: 'pending' })).find((delivery) => delivery.next_attempt_reason === 'retry_after'),
  );
  waitingId = waiting.delivery_id;
  await owner.submit({ poNumber: 'PO-2026-1121-004', forecastType: 1 });
  await owner.submit({ poNumber: 'PO-2026-1121-005' });
  await owner.cancel('PO-2026-1121-005');
}

beforeAll(async () => {
  mkdirSync(folder, { recursive: true });
  [stage, browser] = await Promise.all([Stage.open({ WEBHOOK_RETRY_SCHEDULE: '0s,200ms,400ms' }), launchBrowser()]);
  await scene(await stage.receiver());
}, 90_000);
afterAll(async () => {
  await browser?.close();
  await stage?.close();
}, 60_000);

const pictures: ReadonlyArray<readonly [name: string, hash: () => string, look: Look]> = [
  ['console-parcels', () => '#/parcels', {}],
  ['console-parcel', () => '#/parcels/PO-2026-1121-001', {}],
  ['console-findings', () => '#/parcels/PO-2026-1120-007', {}],
  ['console-endpoint', () => `#/webhooks/${endpointId}`, { colorScheme: 'dark' }],
  ['console-failed', () => `#/webhooks/${endpointId}/deliveries/${failedId}`, {}],
  ['console-waiting-zh', () => `#/webhooks/${endpointId}/deliveries/${waitingId}`, { locale: 'zh-CN', colorScheme: 'dark' }],
  ['console-events', () => '#/events', { colorScheme: 'dark' }],
  ['console-new-endpoint', () => '#/webhooks/new', {}],
  ['console-narrow', () => '#/parcels/PO-2026-1121-001', { width: 380, locale: 'zh-CN' }],
];

test.each(pictures)('%s', async (name, hash, look) => {
  const at = await ConsolePage.open(browser, stage.platform.quickstart.base_url, look);
  await at.signIn(owner.identity.key);
  await at.visit(hash());
  await at.until('[...document.images].every((image) => image.complete && image.naturalWidth > 0)');
  await at.page.mouse.move(0, 0);
  await at.page.screenshot({ path: join(folder, `${name}.png`), fullPage: true });
  expect(at.faults).toEqual([]);
  await at.close();
});
