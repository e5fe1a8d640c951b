import type { IssuedKey } from '@parcelway/contracts/admin-api';
import { type Operation, once } from './operation.ts';

const ADMIN = '/admin/v1';

function admin(name: string, path: string): Operation {
  return {
    name,
    settles: false,
    prepare:
      async ({ admin: operator }) =>
      async () =>
        void (await operator.expectOk(`${ADMIN}${path}`)),
  };
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
      const path = `${ADMIN}/keys?tenant_id=${stage.stage.platform.quickstart.tenant.id}`;
      return async () => void (await stage.admin.expectOk(path));
    },
  },
  admin('List all keys (a key for each tenant)', '/keys'),
  admin('List all tenants (one for each 1,000 parcels)', '/tenants'),
  admin('List resolutions (audit)', '/resolutions?limit=20'),
  admin('List unclaimed parcels of all warehouses', '/unclaimed?limit=20'),
  admin('Status of the platform', '/status'),
];
