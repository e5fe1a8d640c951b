import { expect, test } from '@jest/globals';
import type { Usage } from '@parcelway/contracts/activity-api';
import type { ConsoleLink, ConsoleSession } from '@parcelway/contracts/console-api';
import type { KeyCreated, KeyCreation, KeyRotated, TenantKey, TenantKeyList } from '@parcelway/contracts/key-api';
import type { ApiClient } from '@parcelway/harness/api-client';
import { type Merchant, newPoNumber } from '@parcelway/harness/merchant';
import { expectRoute } from '@parcelway/harness/route-call';
import { samplePdf } from '@parcelway/harness/sample-data';
import { until } from '@parcelway/kernel/testing/until';
import { useSubscribed } from '../subscription.ts';
import { useMerchant, useStage } from '../use-stage.ts';

/* A tenant manages its own keys, which takes effect within 5 seconds in every process, and sees what they did. */

const stage = useStage({ LOG_LEVEL: 'debug', ACCESS_LOG: 'on', WEBHOOK_RETRY_SCHEDULE: '0s,10ms' });
const { merchant } = useSubscribed(stage);

async function codeWith(key: string, path = '/open/v1/me'): Promise<string> {
  const client = stage.platform.client(key);
  const response = await client.call(path);
  await client.close();
  return response.code;
}

const untilCode = (key: string, code: string): Promise<unknown> =>
  until(async () => (await codeWith(key)) === code, { within: 5000, what: `the code ${code}` });

const create = (client: ApiClient, body: Partial<KeyCreation> = {}): Promise<KeyCreated> =>
  expectRoute<KeyCreated>(client, 'createKey', { body: { description: 'ERP', ...body } });

test('the life of a key: created, used, limited to addresses, rotated with an overlap, revoked', async () => {
  const created = await create(merchant.client, { scopes: ['tracking:read'], expires_in_seconds: 3600 });
  const path = { key_id: created.key_id };
  expect(await codeWith(created.key)).toBe('0');
  expect(await codeWith(created.key, '/open/v1/webhook-endpoints')).toBe('40301');

  await expectRoute(merchant.client, 'updateKey', { path, body: { allowed_addresses: ['198.51.100.0/24'] } });
  await untilCode(created.key, '40301');
  const client = stage.platform.client(created.key);
  expect((await client.call('/open/v1/me')).message).toMatch(/127\.0\.0\.1|::1/);
  await expectRoute(merchant.client, 'updateKey', { path, body: { allowed_addresses: ['127.0.0.0/8', '::1'] } });
  await untilCode(created.key, '0');

  const rotated = await expectRoute<KeyRotated>(merchant.client, 'rotateKey', { path, body: { overlap_seconds: 7 } });
  expect(rotated).toMatchObject({ scopes: ['tracking:read'], allowed_addresses: ['127.0.0.0/8', '::1'], rotated_from: created.key_id });
  for (const key of [created.key, rotated.key]) expect(await codeWith(key)).toBe('0');
  await until(async () => (await codeWith(created.key)) === '40003', { within: 15_000, what: 'the former key to end' });
  expect(await codeWith(rotated.key)).toBe('0');

  const revoked = await expectRoute<TenantKey>(merchant.client, 'revokeKey', { path: { key_id: rotated.key_id } });
  expect(revoked.state).toBe('revoked');
  await untilCode(rotated.key, '40003');
  const again = await expectRoute<TenantKey>(merchant.client, 'revokeKey', { path: { key_id: rotated.key_id } });
  expect(again.revoked_at).toBe(revoked.revoked_at);
  const { keys } = await expectRoute<TenantKeyList>(merchant.client, 'listKeys');
  const states = new Map(keys.map(({ key_id, state, rotated_to }) => [key_id, [state, rotated_to]]));
  expect(states.get(created.key_id)).toEqual(['expired', rotated.key_id]);
  expect(states.get(rotated.key_id)).toEqual(['revoked', null]);
  expect(JSON.stringify(keys)).not.toContain(created.key.slice(12));
});

const counted = useMerchant(stage);

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

/* Sessions of the console and links to it, as programs see them, and what of all secrets is in a log. */

const tokenOf = ({ url }: ConsoleLink): string => url.split('#link=')[1] ?? '';

const begin = async ({ client }: Merchant): Promise<string> => (await expectRoute<ConsoleSession>(client, 'createConsoleSession')).token;

test('tokens are in no log', async () => {
  const token = await begin(merchant);
  const link = tokenOf(await expectRoute<ConsoleLink>(merchant.client, 'createConsoleLink', { body: {} }));
  const client = stage.platform.client(`${token.slice(0, -1)}!`);
  expect((await client.call('/open/v1/me')).text).not.toContain(token.slice(4, 40));
  for (const each of [token, link]) expect([await codeWith(each), await codeWith(each, '/open/v1/none')]).toEqual(['0', '40402']);
  const log = () => stage.platform.log + stage.platform.output;
  await until(() => log().split('"route":"getOwnAccess"').length > 2, { what: 'the calls to be logged' });
  expect(log().includes('pfs_') ? 'a token' : 'none').toBe('none');
});

test('keys, signing secrets, tokens and contents never show in logs or refusals', async () => {
  const receiver = await stage.receiver();
  receiver.respond = (_webhook, res) => res.writeHead(500).end();
  const canary = await stage.operator.newMerchant();
  const marker = `CANARY-${newPoNumber()}`;
  const endpoint = await canary.createEndpoint({ url: `${receiver.url}?token=${marker}` });
  const rotated = await canary.client.expectOk<{ secret: string }>(`/open/v1/webhook-endpoints/${endpoint.endpoint_id}/rotate-secret`, {
    method: 'POST',
  });
  const uploaded = await canary.upload('a.pdf', samplePdf(marker));
  const refusedResponses = [
    await canary.upload('a.txt', Buffer.from(marker)),
    await canary.client.call('/open/v1/forecasts', {
      method: 'POST',
      body: `{"${marker}`,
      headers: { 'content-type': 'application/json' },
    }),
    await stage.platform.client(`${canary.identity.key}x`).call('/open/v1/warehouses'),
    await canary.client.call('/open/v1/forecasts', { body: { shipping_label: `https://example.com/${marker}` } }),
  ];
  for (const { text } of refusedResponses) expect(text).not.toContain(canary.identity.key);
  const { po_number } = await canary.submit({ forecastType: 1 });
  await canary.simulate({ po_number, step: 'weigh' });
  await receiver.waitForEvent('parcel.weighed', po_number);
  await stage.platform.stop();
  const log = stage.platform.log + stage.platform.output.replaceAll(stage.platform.quickstart.tenant.api_key, '');
  expect(log).toContain('"route":"submitForecast"');
  const secrets = [
    canary.identity.key,
    endpoint.secret,
    endpoint.secret.slice('whsec_'.length),
    rotated.secret,
    stage.platform.quickstart.admin.token,
    stage.platform.quickstart.warehouse.api_key,
    marker,
    uploaded.data.url.slice(uploaded.data.url.lastIndexOf('/') + 1),
  ];
  for (const secret of secrets) expect(log.includes(secret) ? secret : 'not in the log').toBe('not in the log');
}, 60_000);
