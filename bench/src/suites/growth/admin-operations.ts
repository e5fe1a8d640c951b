import type { IssuedKey } from '@parcelway/contracts/admin-api';
import type { GrownStage } from './grown-stage.ts';
import { type Operation, once } from './operation.ts';

const ADMIN = '/admin/v1';

/** Most pages that are passed on the way to a deep one. */
const MOST_PAGES = 1000;

/** Reads the same path each time. @param pathOf below the operator's API */
function admin(name: string, pathOf: (stage: GrownStage) => Promise<string>): Operation {
  return {
    name,
    settles: false,
    prepare: async (stage) => {
      const path = await pathOf(stage);
      return async () => void (await stage.admin.expectOk(`${ADMIN}${path}`));
    },
  };
}

const always = (path: string) => async (): Promise<string> => path;

/** Path of the last page of a list that another one follows: it is full. @param first path of the first page */
function lastFullPage(first: string): (stage: GrownStage) => Promise<string> {
  return once(async ({ admin: operator }) => {
    let full = first;
    let path = first;
    for (let page = 0; page < MOST_PAGES; page += 1) {
      const { next_cursor: next } = await operator.expectOk<{ next_cursor: string | null }>(`${ADMIN}${path}`);
      if (next === null) break;
      full = path;
      path = `${first}&cursor=${encodeURIComponent(next)}`;
    }
    return full;
  });
}

const someTenant = once(
  async ({ admin: operator }) => (await operator.expectOk<{ id: string }>(`${ADMIN}/tenants`, { body: { name: 'Growth' } })).id,
);

/** What the operator does, and the look-up of a key. */
export const adminOperations: readonly Operation[] = [
  {
    name: 'First call with a key (its look-up)',
    settles: false,
    prepare: async (stage, count) => {
      const tenantId = await someTenant(stage);
      const keys: string[] = [];
      for (let at = 0; at < count; at += 1)
        keys.push((await stage.admin.expectOk<IssuedKey>(`${ADMIN}/keys`, { body: { tenant_id: tenantId } })).key);
      const clients = keys.map((key) => stage.stage.platform.client(key));
      for (const client of clients) await client.call('/healthz');
      return async (at) => void (await clients[at]?.expectOk('/open/v1/warehouses'));
    },
  },
  {
    name: 'Issue a key',
    settles: false,
    prepare: async (stage) => {
      const tenantId = await someTenant(stage);
      return async () => void (await stage.admin.expectOk(`${ADMIN}/keys`, { body: { tenant_id: tenantId } }));
    },
  },
  {
    name: 'List the keys of a tenant',
    settles: false,
    prepare: async (stage) => {
      const path = `${ADMIN}/keys?limit=20&tenant_id=${stage.stage.platform.quickstart.tenant.id}`;
      return async () => void (await stage.admin.expectOk(path));
    },
  },
  admin('List all keys: first page', always('/keys?limit=20')),
  admin('List all keys: deep page', lastFullPage('/keys?limit=20')),
  admin('List all tenants: first page', always('/tenants?limit=20')),
  admin('List all tenants: deep page', lastFullPage('/tenants?limit=20')),
  admin('List resolutions (audit)', always('/resolutions?limit=20')),
  admin('List unclaimed parcels of all warehouses', always('/unclaimed?limit=20')),
  admin('Status of the platform', always('/status')),
];
