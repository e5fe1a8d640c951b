import { describe, expect, test } from '@jest/globals';
import type { RouteDefinition } from '@parcelway/contracts/route';
import { routes } from '@parcelway/contracts/routes';
import { tenantScopes, warehouseScopes } from '@parcelway/contracts/scopes';
import type { ApiClient, ApiResponse } from '@parcelway/harness/api-client';
import type { Merchant } from '@parcelway/harness/merchant';
import { parcelctlJson, runParcelctl } from '@parcelway/harness/parcelctl';
import { contractBreaches, pathOf } from '@parcelway/harness/route-call';
import { until } from '@parcelway/kernel/testing/until';
import { useStageWithMerchant } from '../use-stage.ts';

const { stage, merchant } = useStageWithMerchant();

const keyed = routes.filter((route) => route.access !== 'public');

/** Calls a route with nothing but a key: what is checked before the body decides. */
async function bare(client: ApiClient, route: RouteDefinition): Promise<ApiResponse<unknown>> {
  const response = await client.call(pathOf(route), { method: route.method });
  expect(contractBreaches(route, response)).toEqual([]);
  return response;
}

async function codeWith(key: string | null, path = '/open/v1/warehouses'): Promise<string> {
  const client = stage.platform.client(key);
  const response = await client.call(path);
  await client.close();
  return response.code;
}

describe.each(keyed.map((route): [string, RouteDefinition] => [`${route.method} ${route.path}`, route]))('%s', (_name, route) => {
  test('needs a key', async () => {
    expect(await bare(stage.platform.client(null), route)).toMatchObject({ status: 401, code: '40101', data: null });
  });

  test('refuses the key of the wrong kind of holder', async () => {
    const stranger = route.access === 'tenant' ? stage.clerk.client : merchant.client;
    expect(await bare(stranger, route)).toMatchObject({ status: 403, code: '40301', data: null });
  });

  if (route.access === 'tenant') {
    test('opens with each of its scopes and with no other', async () => {
      const others = tenantScopes.filter((scope) => !route.scopes.includes(scope));
      if (route.scopes.length > 0) {
        const lacking = await stage.operator.withKey(merchant, { scopes: others });
        expect(await bare(lacking.client, route)).toMatchObject({ status: 403, code: '40301', data: null });
      }
      for (const scope of route.scopes.length > 0 ? route.scopes : tenantScopes) {
        const allowed = await stage.operator.withKey(merchant, { scopes: [scope] });
        expect((await bare(allowed.client, route)).status).not.toBe(403);
      }
    });
  } else {
    test.each(warehouseScopes)('allows a key with only %s what this scope allows', async (scope) => {
      const { key } = await stage.operator.issueKey({ warehouse_code: stage.clerk.code }, { scopes: [scope] });
      const response = await bare(stage.platform.client(key), route);
      if (route.scopes.length === 0 || route.scopes.includes(scope)) expect(response.status).not.toBe(403);
      else expect(response).toMatchObject({ status: 403, code: '40301', data: null });
    });
  }
});

describe('a key', () => {
  test('that is wrong in any way is 40003', async () => {
    const { key } = merchant.identity;
    const wrong = [
      'x',
      `${key}x`,
      key.slice(0, -1),
      key.toUpperCase(),
      ` ${key.slice(1)}`,
      `${key.slice(0, -1)}${key.endsWith('A') ? 'B' : 'A'}`,
      key.replace('pf_test_', 'pf_live_'),
      `pf_test_${'A'.repeat(38)}`,
      'a'.repeat(5000),
    ];
    for (const candidate of wrong) expect([candidate, await codeWith(candidate)]).toEqual([candidate, '40003']);
    expect(await codeWith(key)).toBe('0');
    expect(await codeWith('')).toBe('40101');
  });

  test('stops working when it expires', async () => {
    const issued = await stage.operator.issueKey({ tenant_id: merchant.identity.tenantId }, { expires_in_seconds: 5 });
    expect(await codeWith(issued.key)).toBe('0');
    await until(async () => (await codeWith(issued.key)) === '40003', { within: 10_000 });
  });

  test('stops working within five seconds of its revocation, and for good', async () => {
    const [kept, revoked] = [await stage.operator.withKey(merchant), await stage.operator.withKey(merchant)];
    expect(await codeWith(revoked.identity.key)).toBe('0');
    await stage.operator.revokeKey(revoked.identity.keyId);
    await until(async () => (await codeWith(revoked.identity.key)) === '40003', { within: 5000 });
    expect(await codeWith(kept.identity.key)).toBe('0');
  });

  test('is shown once: lists and responses show its first characters only', async () => {
    const { keys } = await stage.operator.admin.expectOk<{ keys: Array<{ key_id: string; prefix: string }> }>(
      `/admin/v1/keys?tenant_id=${merchant.identity.tenantId}`,
    );
    expect(keys.find((key) => key.key_id === merchant.identity.keyId)?.prefix).toBe(merchant.identity.key.slice(0, 12));
    expect(JSON.stringify(keys)).not.toContain(merchant.identity.key.slice(12));
  });
});

describe('a suspended tenant', () => {
  test('is refused with every key until it is resumed', async () => {
    const owner = await stage.operator.newMerchant();
    const second = await stage.operator.withKey(owner);
    expect(await codeWith(owner.identity.key)).toBe('0');
    await stage.operator.suspend(owner.identity.tenantId);
    for (const { identity } of [owner, second]) await until(async () => (await codeWith(identity.key)) === '40302', { within: 5000 });
    expect(await codeWith(merchant.identity.key)).toBe('0');
    await stage.operator.resume(owner.identity.tenantId);
    await until(async () => (await codeWith(owner.identity.key)) === '0', { within: 5000 });
  });
});

describe('rate limits', () => {
  const rates = (response: ApiResponse<unknown>): number[] =>
    ['ratelimit-limit', 'ratelimit-remaining', 'ratelimit-reset'].map((name) => Number(response.headers[name]));

  test('a key empties its bucket, sees that in the headers, and gets 42901 with Retry-After', async () => {
    const limited = await stage.operator.withKey(merchant, { rate_limit: { per_second: 0.01, burst: 3 } });
    const responses: ApiResponse[] = [];
    for (let index = 0; index < 4; index += 1) responses.push(await limited.client.call('/open/v1/warehouses'));
    expect(responses.map((response) => response.code)).toEqual(['0', '0', '0', '42901']);
    expect(responses.map((response) => rates(response).slice(0, 2))).toEqual([
      [3, 2],
      [3, 1],
      [3, 0],
      [3, 0],
    ]);
    const refused = responses[3] as ApiResponse;
    expect(refused.status).toBe(429);
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
    expect(refused.data).toMatchObject({ retry_after_seconds: Number(refused.headers['retry-after']) });
    // Another key of the same tenant has a bucket of its own.
    expect(await codeWith((await stage.operator.withKey(merchant, { rate_limit: { per_second: 1, burst: 1 } })).identity.key)).toBe('0');
  });

  test('defaults are 200, 50 for uploads, 100 for tracking; buckets are apart', async () => {
    const owner = await stage.operator.newMerchant();
    const { key } = await stage.operator.admin.expectOk<{ key: string }>('/admin/v1/keys', {
      body: { tenant_id: owner.identity.tenantId },
    });
    const client = stage.platform.client(key);
    const [standard, upload, tracking] = [
      await client.call('/open/v1/warehouses'),
      await client.upload('/open/v1/files/pdf', 'a.txt', Buffer.from('x')),
      await client.call('/open/v1/forecasts/tracking'),
    ];
    expect([standard, upload, tracking].map((response) => rates(response).slice(0, 2))).toEqual([
      [200, 199],
      [50, 49],
      [100, 99],
    ]);
  });

  test('the rate is checked before the body and after the permission', async () => {
    const limited = await stage.operator.withKey(merchant, { scopes: ['forecasts:write'], rate_limit: { per_second: 0.01, burst: 1 } });
    expect((await limited.client.call('/open/v1/forecasts/tracking')).code).toBe('40301');
    expect((await limited.client.call('/open/v1/forecasts', { body: '{', headers: { 'content-type': 'application/json' } })).code).toBe(
      '40001',
    );
    expect((await limited.client.call('/open/v1/forecasts', { body: '{', headers: { 'content-type': 'text/plain' } })).code).toBe('42901');
  });

  test('a key may be without limit', async () => {
    const response = await merchant.client.call('/open/v1/warehouses');
    expect(response.headers['ratelimit-limit']).toBeUndefined();
  });
});

describe('the order of checks', () => {
  test('route, method, key, tenant, permission, media type, size, JSON, fields', async () => {
    const nobody = stage.platform.client(null);
    expect((await nobody.call('/open/v1/nothing')).code).toBe('40402');
    expect((await nobody.call('/open/v1/forecasts', { method: 'PUT' })).code).toBe('40501');
    expect((await nobody.call('/open/v1/forecasts', { method: 'POST', body: '{' })).code).toBe('40101');
    const owner = await stage.operator.newMerchant();
    const reader = await stage.operator.withKey(owner, { scopes: ['weighing:read'] });
    const huge = '{'.padEnd(5 * 1024 * 1024 + 1);
    const send = (from: Merchant, body: string, type: string) =>
      from.client.call('/open/v1/forecasts', { method: 'POST', body, headers: { 'content-type': type } });
    expect((await send(reader, huge, 'text/plain')).code).toBe('40301');
    expect((await send(owner, huge, 'text/plain')).code).toBe('41501');
    expect((await send(owner, huge, 'application/json')).code).toBe('41301');
    expect((await send(owner, '{', 'application/json')).code).toBe('40001');
    expect((await send(owner, '{}', 'application/json')).code).toBe('42201');
    await stage.operator.suspend(owner.identity.tenantId);
    expect((await send(reader, huge, 'text/plain')).code).toBe('40302');
  });
});

describe('parcelctl', () => {
  test('adds a merchant and a warehouse, and revokes what it issued', async () => {
    const env = { DATA_DIR: stage.platform.dataDirectory };
    const tenant = await parcelctlJson<{ id: string }>(['tenant', 'create', '--name', 'By command'], env);
    const args = ['key', 'issue', '--tenant', tenant.id, '--scopes', 'weighing:read,tracking:read', '--expires-in', '90d'];
    const issued = await parcelctlJson<{ key_id: string; key: string; scopes: string[]; expire_time: string }>(args, env);
    expect(issued.scopes).toEqual(['weighing:read', 'tracking:read']);
    const days = (Date.parse(issued.expire_time) - Date.now()) / 86_400_000;
    expect(Math.round(days)).toBe(90);
    expect(await codeWith(issued.key)).toBe('0');
    expect(await codeWith(issued.key, '/open/v1/webhook-endpoints')).toBe('40301');

    await parcelctlJson(['warehouse', 'add', '--code', 'CTL1', '--name', 'Added'], env);
    const warehouse = await parcelctlJson<{ key: string }>(['key', 'issue', '--warehouse', 'CTL1'], env);
    const client = stage.platform.client(warehouse.key);
    expect((await client.call('/warehouse/v1/events', { body: {} })).code).toBe('42201');

    const { admin } = stage.platform.quickstart;
    const byToken = { PARCEL_ADMIN_URL: admin.url, PARCEL_ADMIN_TOKEN: admin.token };
    const listed = await runParcelctl(['key', 'list', '--json'], byToken);
    expect(listed.status).toBe(0);
    expect(listed.stdout).toContain(issued.key_id);
    expect(listed.stdout).not.toContain(issued.key);
    await parcelctlJson(['key', 'revoke', issued.key_id], env);
    await until(async () => (await codeWith(issued.key)) === '40003', { within: 5000 });
    await parcelctlJson(['tenant', 'suspend', tenant.id], env);
    const other = await parcelctlJson<{ key: string }>(['key', 'issue', '--tenant', tenant.id], env);
    expect(await codeWith(other.key)).toBe('40302');
  }, 60_000);

  test('says what is wrong and ends with a code other than 0', async () => {
    const run = await runParcelctl(['key', 'revoke', 'key_unknown'], { DATA_DIR: stage.platform.dataDirectory });
    expect(run.status).not.toBe(0);
    expect(run.stderr).toMatch(/does not exist/);
    const nowhere = await runParcelctl(['tenant', 'create', '--name', 'x'], { DATA_DIR: '/nonexistent' });
    expect(nowhere.status).not.toBe(0);
    expect(nowhere.stderr).toContain('/nonexistent');
  });
});

describe('guessing keys', () => {
  test('is slowed down per address, without shutting out who has a good key', async () => {
    const guesser = stage.platform.client('pf_test_guess');
    const responses = await Promise.all(Array.from({ length: 150 }, () => guesser.call('/open/v1/warehouses')));
    expect(new Set(responses.map((response) => response.code))).toEqual(new Set(['40003', '42901']));
    const slowed = responses.find((response) => response.code === '42901');
    expect(Number(slowed?.headers['retry-after'])).toBeGreaterThan(0);
    expect(await codeWith(merchant.identity.key)).toBe('0');
    // One that no process has seen yet.
    const unseen = await stage.operator.issueKey({ tenant_id: merchant.identity.tenantId }, {});
    expect(await codeWith(unseen.key)).toBe('0');
    // An address gets one guess a second back, so that the first of some may be let through by now.
    const further = await Promise.all(Array.from({ length: 10 }, () => guesser.call('/open/v1/warehouses')));
    expect(further.map((response) => response.code)).toContain('42901');
  });
});

describe("the operator's API", () => {
  test('needs its token and is not on the public port', async () => {
    const { admin } = stage.platform.quickstart;
    const anonymous = stage.platform.client(null);
    expect((await anonymous.call(`${admin.url}/admin/v1/tenants`)).code).toBe('40101');
    const wrong = await anonymous.call(`${admin.url}/admin/v1/tenants`, { headers: { authorization: `Bearer ${admin.token}x` } });
    expect(wrong).toMatchObject({ status: 401, code: '40003' });
    const onPublic = await anonymous.call('/admin/v1/tenants', { headers: { authorization: `Bearer ${admin.token}` } });
    expect(onPublic).toMatchObject({ status: 404, code: '40402' });
  });
});
