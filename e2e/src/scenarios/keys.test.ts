import { expect, test } from '@jest/globals';
import type { AuditLog, Usage } from '@parcelway/contracts/activity-api';
import type { KeyCreated, KeyCreation, KeyRotated, TenantKey, TenantKeyList } from '@parcelway/contracts/key-api';
import type { ApiClient } from '@parcelway/harness/api-client';
import { newPoNumber } from '@parcelway/harness/merchant';
import { parcelctlJson } from '@parcelway/harness/parcelctl';
import { expectRoute } from '@parcelway/harness/route-call';
import { samplePdf } from '@parcelway/harness/sample-data';
import { until } from '@parcelway/kernel/testing/until';
import { useSubscribed } from '../subscription.ts';
import { useMerchant, useSharedStage } from '../use-stage.ts';

/* A tenant manages its own keys, which takes effect within 5 seconds in every process, and sees what they did. */

const stage = useSharedStage();
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

test('the operator does the same with parcelctl', async () => {
  const env = { DATA_DIR: stage.platform.dataDirectory };
  const run = <T>(...args: string[]): Promise<T> => parcelctlJson<T>(['key', ...args], env);
  const tenant = ['--tenant', merchant.identity.tenantId];
  const issued = await run<{ key: string; key_id: string; scopes: string[] }>('issue', ...tenant, '--allowed-addresses', '198.51.100.1');
  expect(issued.scopes).not.toContain('keys:manage');
  expect(await codeWith(issued.key)).toBe('40301');
  await run('change', issued.key_id, '--allowed-addresses', 'any', '--scopes', 'keys:manage', '--expires-in', '1h');
  await untilCode(issued.key, '0');
  const rotated = await run<{ key: string; key_id: string }>('rotate', issued.key_id, '--overlap', '0s');
  await untilCode(issued.key, '40003');
  expect(await codeWith(rotated.key, '/open/v1/keys')).toBe('0');
  const { keys } = await run<{ keys: Array<Record<string, unknown>> }>('list', ...tenant);
  expect(keys.find(({ key_id }) => key_id === issued.key_id)).toMatchObject({ rotated_to: rotated.key_id, allowed_addresses: [] });
}, 60_000);

const counted = useMerchant(stage);

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
