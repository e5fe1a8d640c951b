import type { Command } from 'commander';
import type { Data } from '../admin-client.ts';
import { type CommandContext, rowsOf } from '../command-context.ts';
import { renderRecord } from '../table.ts';
import { warningLines } from './tenant-create.ts';

const upTo = (count: unknown, hasMore: unknown): string => `${count}${hasMore === true ? '+' : ''}`;

/** A tenant with its figures, one a line. */
function detailText(data: Data): string {
  const { keys, parcels: _, warnings: __, ...rest } = data;
  const { alive, has_more, last_use_time } = (keys ?? {}) as Data;
  const parcels = rowsOf(data, 'parcels').map((row) => [`parcels.${row['status_name']}`, upTo(row['count'], row['has_more'])] as const);
  return renderRecord({
    ...rest,
    keys: { alive: upTo(alive, has_more), last_use_time },
    ...(data['parcels'] === null ? { parcels: 'not known now' } : Object.fromEntries(parcels)),
    ...(data['webhook_endpoints'] === null && { webhook_endpoints: 'not known now' }),
  });
}

const pathOf = (id: string): string => `/admin/v1/tenants/${encodeURIComponent(id)}`;

/** Adds `tenant show` and `tenant rename`. */
export function addTenantShow(tenant: Command, { act }: CommandContext): void {
  tenant
    .command('show')
    .description('Show a tenant: keys, webhook endpoints, parcels by status (up to 1000 of each), last activity')
    .argument('<tenant>', 'id of the tenant, tnt_…')
    .action(
      act(async (client, [id = '']) => {
        const data = await client.call(pathOf(id));
        return { data, text: detailText(data) };
      }),
    );
  tenant
    .command('rename')
    .description('Give a tenant another name')
    .argument('<tenant>', 'id of the tenant, tnt_…')
    .argument('<name>', 'name of the merchant')
    .action(
      act(async (client, [id = '', name = '']) => {
        const data = await client.call(pathOf(id), { method: 'PATCH', body: { name } });
        const { warnings: _, ...renamed } = data;
        return { data, text: renderRecord(renamed) + warningLines(data) };
      }),
    );
}
