import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { ApiKey, Tenant } from '@parcelway/contracts/admin-api';
import { callAdmin, others, quickstartOf } from '../../testing/gateway-client.ts';
import { startGateway, type TestGateway } from '../../testing/platform.ts';

/** `data` of a list. */
interface List {
  readonly tenants: readonly Tenant[];
  readonly keys: readonly ApiKey[];
  readonly next_cursor?: string | null;
  readonly warnings?: readonly object[];
}

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startGateway(others);
  // With the tenant and the two keys of the sandbox: 5 tenants, 8 keys.
  const { tenant, warehouse } = await quickstartOf(gateway);
  for (const name of ['A', 'B', 'C', 'D']) await callAdmin(gateway, 'POST', '/admin/v1/tenants', { name });
  for (const holder of [{ tenant_id: tenant.id }, { warehouse_code: warehouse.code }])
    for (let no = 0; no < 3; no += 1) await callAdmin(gateway, 'POST', '/admin/v1/keys', holder);
});
afterAll(async () => {
  await gateway[Symbol.asyncDispose]();
});

async function read(path: string): Promise<List> {
  return (await callAdmin(gateway, 'GET', `/admin/v1/${path}`)).json.data as unknown as List;
}

/** The pages of a list. @param path with a query */
async function pagesOf(path: string): Promise<List[]> {
  const pages = [await read(path)];
  for (let next = pages[0]?.next_cursor; next; next = pages.at(-1)?.next_cursor) pages.push(await read(`${path}&cursor=${next}`));
  return pages;
}

describe('the list of tenants', () => {
  test('is whole without limit and cursor, and has no next_cursor then', async () => {
    const list = await read('tenants');
    expect(Object.keys(list)).toEqual(['tenants']);
    expect(list.tenants.map(({ name }) => name)).toEqual(['Demo Merchant', 'A', 'B', 'C', 'D']);
  });

  test('has pages with a limit; the last one has no cursor', async () => {
    const { tenants } = await read('tenants');
    const pages = await pagesOf('tenants?limit=2');
    expect(pages.map((page) => page.tenants.length)).toEqual([2, 2, 1]);
    expect(pages.flatMap((page) => page.tenants)).toEqual(tenants);
    expect(pages.at(-1)?.next_cursor).toBeNull();
    expect((await read('tenants?limit=5')).next_cursor).toBeNull();
  });

  test('goes on in pages of the default size when only the cursor is given', async () => {
    const { next_cursor: cursor } = await read('tenants?limit=3');
    expect(await read(`tenants?cursor=${cursor}`)).toEqual({ tenants: (await read('tenants')).tenants.slice(3), next_cursor: null });
  });
});

describe('the list of keys', () => {
  test('is whole without limit and cursor, and has no next_cursor then', async () => {
    const list = await read('keys');
    expect([Object.keys(list), list.keys.length]).toEqual([['keys'], 8]);
  });

  test.each([
    ['of all', () => ''],
    ['of a tenant', (tenantId: string) => `tenant_id=${tenantId}&`],
    ['of a warehouse', (_tenantId: string, code: string) => `warehouse_code=${code}&`],
  ])('has pages with a limit: %s', async (_of, filterOf) => {
    const { tenant, warehouse } = await quickstartOf(gateway);
    const filter = filterOf(tenant.id, warehouse.code);
    const { keys } = await read(`keys?${filter}`);
    const pages = await pagesOf(`keys?${filter}limit=3`);
    expect(pages.length).toBe(Math.ceil(keys.length / 3));
    expect(pages.flatMap((page) => page.keys)).toEqual(keys);
  });
});

describe('a wrong page', () => {
  test.each(['0', '1001', '-1', '1.5', 'all', ''])('has the limit %p', async (limit) => {
    for (const list of ['tenants', 'keys'])
      expect(await callAdmin(gateway, 'GET', `/admin/v1/${list}?limit=${limit}`)).toMatchObject({
        status: 422,
        json: { code: '42201', data: { errors: [{ field: 'limit', message: 'limit must be an integer from 1 to 1000' }] } },
      });
  });

  test('has a cursor that is not of the list', async () => {
    const { next_cursor: ofTenants } = await read('tenants?limit=1');
    const { next_cursor: ofKeys } = await read('keys?limit=1');
    const foreign = { tenants: ofKeys, keys: ofTenants };
    for (const list of ['tenants', 'keys'] as const)
      for (const cursor of [foreign[list], 'MS4xLmtleV8x', '2.x', `2.${'A'.repeat(60)}`])
        expect([cursor, (await callAdmin(gateway, 'GET', `/admin/v1/${list}?cursor=${cursor}`)).json.data['errors']]).toMatchObject([
          cursor,
          [{ field: 'cursor', rule: 'cursor' }],
        ]);
    expect((await read(`keys?cursor=${'x'.repeat(513)}`)) as object).toMatchObject({ errors: [{ field: 'cursor' }] });
    expect((await read('tenants?cursor=')) as object).toMatchObject({ errors: [{ field: 'cursor' }] });
  });

  test('has parameters twice', async () => {
    expect((await read('tenants?limit=1&limit=2')) as object).toMatchObject({ errors: [{ field: 'limit' }] });
  });
});
