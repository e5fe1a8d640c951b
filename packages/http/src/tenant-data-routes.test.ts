import { afterEach, beforeEach, expect, test } from '@jest/globals';
import type { Principal } from '@parcelway/contracts/principal';
import { systemClock } from '@parcelway/kernel/clock';
import { silentLogger } from '@parcelway/kernel/logger';
import type { TenantDataKind } from '@parcelway/kernel/tenant-data';
import { createServiceApp } from './app.ts';
import { PRINCIPAL_HEADER, PrincipalSigner, PrincipalVerifier } from './principal-token.ts';
import { createServiceServer, drainServer, listen } from './server.ts';
import { tenantDataRoutes } from './tenant-data-routes.ts';

const SECRET = 'a-secret-for-tests-of-at-least-32-characters';
const signer = new PrincipalSigner(SECRET, systemClock);
const system: Principal = { kind: 'system', tenantId: null, warehouseCode: null, keyId: 'gateway', scopes: [], environment: 'sandbox' };
const LARGE = 'x'.repeat(1_500_000);

let left = 3;
const remembered: string[] = [];
const things: TenantDataKind = {
  name: 'things',
  list: async (tenantId, after) =>
    [1, 2, 3].filter((no) => no > Number(after ?? 0)).map((no) => ({ cursor: String(no), record: { no, of: tenantId, text: LARGE } })),
  erase: async () => {
    left = Math.max(0, left - 2);
    return left;
  },
};

let server: ReturnType<typeof createServiceServer>;
let origin: string;
beforeEach(async () => {
  const app = createServiceApp({
    logger: silentLogger,
    verifier: new PrincipalVerifier([SECRET], systemClock, 'sandbox'),
    routes: (router) =>
      tenantDataRoutes(router, {
        data: { kinds: [things, { name: 'derived', erase: async () => 0 }] },
        remember: async (tenantId) => void remembered.push(tenantId),
      }),
  });
  server = createServiceServer(app, async () => undefined);
  origin = `http://127.0.0.1:${await listen(server, '127.0.0.1', 0)}`;
});
afterEach(() => drainServer(server, 1000));

async function call(path: string, body?: object, principal: Principal = system) {
  const headers = { 'content-type': 'application/json', [PRINCIPAL_HEADER]: signer.sign(principal) };
  const init = body === undefined ? { headers } : { headers, method: 'POST', body: JSON.stringify(body) };
  return (await (await fetch(`${origin}/internal/v1/${path}`, init)).json()) as { code: string; data: Record<string, unknown> };
}

test('name the kinds', async () => {
  expect((await call('tenant-data')).data).toEqual({
    kinds: [
      { name: 'things', listed: true, erased: true },
      { name: 'derived', listed: false, erased: true },
    ],
  });
});

test('list in pages that end before they are too large', async () => {
  const first = (await call('tenant-data/things?tenant_id=tnt_1')).data as { records: { no: number; of: string }[]; next: string };
  expect([first.records.map(({ no, of }) => [no, of]), first.next]).toEqual([
    [
      [1, 'tnt_1'],
      [2, 'tnt_1'],
    ],
    '2',
  ]);
  const second = (await call('tenant-data/things?tenant_id=tnt_1&after=2')).data as { records: { no: number }[]; next: string };
  expect([second.records.map(({ no }) => no), second.next]).toEqual([[3], '3']);
  expect((await call('tenant-data/things?tenant_id=tnt_1&after=3')).data).toEqual({ records: [], next: null });
  expect((await call('tenant-data/derived?tenant_id=tnt_1')).data).toEqual({ records: [], next: null });
});

test('erase step by step, and remember', async () => {
  expect((await call('tenant-data/things/erase', { tenant_id: 'tnt_1' })).data).toEqual({ erased: 1 });
  expect((await call('tenant-data/things/erase', { tenant_id: 'tnt_1' })).data).toEqual({ erased: 0 });
  expect((await call('erased-tenants', { tenant_id: 'tnt_1' })).code).toBe('0');
  expect(remembered).toEqual(['tnt_1']);
});

test('refuse what is wrong, and whoever is no service of the platform', async () => {
  expect((await call('tenant-data/others?tenant_id=tnt_1')).code).toBe('40403');
  for (const tenant_id of ['', 'a b', '*', 'x'.repeat(65)]) {
    expect((await call(`tenant-data/things?${new URLSearchParams({ tenant_id })}`)).code).toBe('42201');
    expect((await call('erased-tenants', { tenant_id })).code).toBe('42201');
  }
  const holders = [
    { kind: 'tenant', tenantId: 'tnt_1', warehouseCode: null },
    { kind: 'warehouse', tenantId: null, warehouseCode: 'W1' },
  ] as const;
  for (const holder of holders) {
    const calls = ['tenant-data', 'tenant-data/things?tenant_id=tnt_1'].map((path) => call(path, undefined, { ...system, ...holder }));
    const posts = ['tenant-data/things/erase', 'erased-tenants'].map((path) =>
      call(path, { tenant_id: 'tnt_1' }, { ...system, ...holder }),
    );
    expect((await Promise.all([...calls, ...posts])).map(({ code }) => code)).toEqual(['40301', '40301', '40301', '40301']);
  }
});
