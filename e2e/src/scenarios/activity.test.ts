import { expect, test } from '@jest/globals';
import type { AuditLog, FailedCallList, Usage } from '@parcelway/contracts/activity-api';
import type { KeyCreated } from '@parcelway/contracts/key-api';
import { newPoNumber } from '@parcelway/harness/merchant';
import { expectRoute, routeById } from '@parcelway/harness/route-call';
import { samplePdf, samplePng } from '@parcelway/harness/sample-data';
import { until } from '@parcelway/kernel/testing/until';
import { useSubscribed } from '../subscription.ts';
import { useMerchant, useSharedStage } from '../use-stage.ts';

/* What a tenant sees of what its keys did: changes, failed calls and usage. */

/** What is stored is measured as often as this, instead of once a day. */
const stage = useSharedStage({ STORAGE_MEASURED_EVERY: '1s' });
const { merchant } = useSubscribed(stage);
const counted = useMerchant(stage);
const storing = useMerchant(stage);

const auditLog = (query = {}): Promise<AuditLog> => expectRoute<AuditLog>(merchant.client, 'listAuditLog', { query });

test('the audit log says who cancelled a forecast and who created a key', async () => {
  const { key_id, key } = await expectRoute<KeyCreated>(merchant.client, 'createKey', { body: { description: 'ERP' } });
  const { po_number: poNumber } = await merchant.submit({ forecastType: 1 });
  const erp = stage.platform.client(key);
  await expectRoute(erp, 'cancelForecast', { path: { po_number: poNumber }, headers: { 'x-request-id': `cancel-${poNumber}` } });
  // A repetition, and what is refused, are no changes.
  await expectRoute(erp, 'cancelForecast', { path: { po_number: poNumber } });
  expect((await erp.call('/open/v1/forecasts/NONE/cancel', { method: 'POST' })).status).toBe(404);
  const entry = await until(
    async () => (await auditLog({ action: 'forecast.cancelled' })).entries.find(({ outcome }) => outcome === 'success'),
    {
      what: 'the entry',
    },
  );
  expect(entry).toMatchObject({
    actor: { type: 'key', id: key_id },
    resource: { type: 'forecast', id: poNumber },
    request_id: `cancel-${poNumber}`,
  });
  await until(async () => (await auditLog({ action: 'forecast.cancelled' })).entries.length === 1, { what: 'the other entries to go' });
  const { entries } = await auditLog();
  expect(entries.map(({ action, resource: { id } }) => [action, id])).toEqual(
    expect.arrayContaining([
      ['key.created', key_id],
      ['endpoint.created', expect.stringMatching(/^ep_/)],
    ]),
  );
});

test('a call that failed is found by its request id, with the errors of the response', async () => {
  const requestId = `bad-${Date.now()}`;
  const response = await merchant.client.call(routeById('submitForecast').path, {
    body: { po_number: 'P1' },
    headers: { 'x-request-id': requestId },
  });
  expect(response.code).toBe('42201');
  const found = await until(
    async () => (await expectRoute<FailedCallList>(merchant.client, 'listFailedCalls', { query: { request_id: requestId } })).requests[0],
    { what: 'the call' },
  );
  expect(found).toMatchObject({ method: 'POST', route: '/open/v1/forecasts', status: response.status, code: '42201', data: response.data });
});

test('the usage counts calls, parcels, events and files', async () => {
  const usage = (): Promise<Usage> => expectRoute<Usage>(counted.client, 'getUsage');
  const pdf = samplePdf(newPoNumber());
  for (const _twice of [1, 2]) expect((await counted.upload('a.pdf', pdf)).code).toBe('0');
  const poNumber = newPoNumber();
  for (const _twice of [1, 2]) await counted.submit({ poNumber, forecastType: 1 });
  await counted.simulate({ po_number: poNumber, step: 'weigh', photos: 0 });
  const total = await until(
    async () => {
      const found = await usage();
      const { parcels, files, events, calls } = found.total;
      return parcels > 0 && files > 0 && events > 0 && calls >= 4 && found.total;
    },
    { within: 20_000, everyMs: 500, what: 'the usage' },
  );
  expect(total).toMatchObject({ parcels: 1, files: 1, stored_bytes: pdf.length, failed_calls: 0 });
});

test('the usage says how much is stored: less after each deletion, and null before the first upload', async () => {
  const usage = (): Promise<Usage> => expectRoute<Usage>(storing.client, 'getUsage');
  const stored = (files: number, bytes: number) =>
    until(
      async () => {
        const { storage } = (await usage()).total;
        return storage?.files === files && storage.bytes === bytes;
      },
      { within: 20_000, everyMs: 250, what: `${files} stored files of ${bytes} bytes` },
    );
  expect((await usage()).days.map(({ storage }) => storage)).toEqual(Array(31).fill(null));
  const [first, second] = [samplePdf(newPoNumber()), samplePdf(newPoNumber())];
  const ids: number[] = [];
  for (const pdf of [first, second, second]) ids.push((await storing.upload('a.pdf', pdf)).data.attachment_id);
  const image = samplePng(newPoNumber());
  expect((await storing.uploadImage('a.png', image)).code).toBe('0');
  await stored(3, first.length + second.length + image.length);
  const remove = (attachment_id: number | undefined) =>
    expectRoute(storing.client, 'deleteFile', { path: { attachment_id: String(attachment_id) } });
  await remove(ids[0]);
  await stored(2, second.length + image.length);
  await remove(ids[1]);
  await stored(1, image.length);
  // What was uploaded stays counted.
  const uploaded = { files: 3, stored_bytes: first.length + second.length + image.length };
  await until(async () => (await usage()).total.files === uploaded.files, {
    within: 20_000,
    everyMs: 500,
    what: 'the uploads to be counted',
  });
  expect((await usage()).total).toMatchObject(uploaded);
});
