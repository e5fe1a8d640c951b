#!/usr/bin/env node
import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
// Brings up docker-compose.yml and takes a parcel from the upload to the signed webhook, from outside. Build first
// (npm run build); what it brought up goes on running. See docs/containers.md.
import type { AddressInfo } from 'node:net';
import { connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { ApiClient } from '@parcelway/harness/api-client';
import { Merchant, newPoNumber } from '@parcelway/harness/merchant';
import { samplePng } from '@parcelway/harness/sample-data';
import { WarehouseClerk } from '@parcelway/harness/warehouse';
import { WebhookReceiver } from '@parcelway/harness/webhook-receiver';

const root = fileURLToPath(new URL('../../../', import.meta.url));
const run = promisify(execFile);

/** The first start pulls and builds. */
const UP_DEADLINE_MS = 30 * 60_000;
const COMMAND_DEADLINE_MS = 60_000;
/** Effects cross three services, on a machine that has just started twelve containers. */
const EFFECT_MS = 30_000;

const started = performance.now();
const say = (text: string) => console.log(`[${((performance.now() - started) / 1000).toFixed(1).padStart(6)} s] ${text}`);

async function docker(args: readonly string[], { env = {}, timeout = COMMAND_DEADLINE_MS } = {}) {
  const { stdout } = await run('docker', args, { cwd: root, env: { ...process.env, ...env }, timeout });
  return stdout.trim();
}

/** An address of this machine that containers reach. */
function hostAddress() {
  return docker(['network', 'inspect', 'bridge', '--format', '{{(index .IPAM.Config 0).Gateway}}']);
}

/** A file of the gateway's data volume. */
async function copyOut(name: string) {
  const folder = mkdtempSync(join(tmpdir(), 'parcelway-journey-'));
  try {
    await docker(['compose', 'cp', `gateway:/data/${name}`, join(folder, 'copy')]);
    return readFileSync(join(folder, 'copy'), 'utf8');
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Makes a receiver on loopback reachable from containers. @returns its address there, and how to end it */
async function openToContainers(receiver: WebhookReceiver, host: string) {
  const { port } = new URL(receiver.url);
  const server = createServer((near) => {
    const far = connect({ host: '127.0.0.1', port: Number(port) });
    near.on('error', () => far.destroy()).pipe(far);
    far.on('error', () => near.destroy()).pipe(near);
  });
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(0, host, resolve));
  return { url: `http://${host}:${(server.address() as AddressInfo).port}/webhooks`, close: () => server.close() };
}

function check(condition: boolean, otherwise: string) {
  if (!condition) throw new Error(otherwise);
}

/** Who takes part, and where the merchant's webhooks go. */
interface Actors {
  readonly merchant: Merchant;
  readonly clerk: WarehouseClerk;
  readonly receiver: WebhookReceiver;
  readonly url: string;
}

/** The way of one parcel. */
async function play({ merchant, clerk, receiver, url }: Actors) {
  const endpoint = await merchant.createEndpoint({ url });
  say(`endpoint ${endpoint.endpoint_id} at ${url}`);
  const poNumber = newPoNumber();
  const accepted = await merchant.submit({ poNumber, trackingNumber: `EXP${poNumber}` });
  say(`two PDFs uploaded, forecast ${accepted.forecast_no} ${accepted.status}`);
  await clerk.report(clerk.event({ type: 'arrival', forecast_no: accepted.forecast_no }));
  await merchant.untilStatus(poNumber, 2, EFFECT_MS);
  say('arrived');
  const picture = samplePng(poNumber);
  const photo = await clerk.upload('scale.png', picture);
  await clerk.report(clerk.weighing({ express_no: `EXP${poNumber}`, photo_ids: [photo.data.photo_id], weight_kg: 1.84 }));
  const weighed = await receiver.waitForEvent('parcel.weighed', poNumber, EFFECT_MS);
  check(WebhookReceiver.verifies(weighed, endpoint.secret), 'the signature of the webhook is wrong');
  say(`webhook ${weighed.id} parcel.weighed, its signature is good`);
  const { weight_kg, weighing_images } = await merchant.weighing(poNumber);
  check(weight_kg === 1.84 && weighing_images.length === 1, 'the weighing query does not show what was weighed');
  const opened = await merchant.client.fetchBytes(weighing_images[0]?.image_url ?? '');
  check(opened.bytes.equals(picture), 'the photo is not the one that was uploaded');
  say('the weighing query shows weight and photo; the photo opens');
  await merchant.simulate({ po_number: poNumber, step: 'dispatch' });
  await merchant.simulate({ po_number: poNumber, step: 'track', admin_status: 'Delivery Success' });
  await receiver.waitFor((webhook) => webhook.body.data.admin_status === 'Delivery Success', EFFECT_MS);
  await merchant.untilStatus(poNumber, 6, EFFECT_MS);
  say('dispatched, tracked, signed for: status 6');
}

const host = await hostAddress();
await docker(['compose', 'up', '--detach', '--wait'], { env: { WEBHOOK_ALLOWED_NETWORKS: `${host}/32` }, timeout: UP_DEADLINE_MS });
say('docker compose up: all healthy');
const quickstart = JSON.parse(await copyOut('quickstart.json'));
const ca = await copyOut('tls/cert.pem');
const { base_url, tenant, warehouse } = quickstart;
say(`quickstart.json copied out: ${base_url}`);

const receiver = await WebhookReceiver.start();
const opened = await openToContainers(receiver, host);
const client = new ApiClient(base_url, tenant.api_key, ca);
const warehouseClient = new ApiClient(base_url, warehouse.api_key, ca);
const identity = { tenantId: tenant.id, keyId: '', key: tenant.api_key, warehouseCode: warehouse.code };
try {
  const clerk = new WarehouseClerk(warehouseClient, warehouse.code);
  await play({ merchant: new Merchant(client, identity), clerk, receiver, url: opened.url });
} finally {
  opened.close();
  await receiver.stop();
  await Promise.all([client.close(), warehouseClient.close()]);
}
