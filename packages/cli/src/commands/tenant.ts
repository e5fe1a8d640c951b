import type { Command } from 'commander';
import { type CommandContext, rowsOf } from '../command-context.ts';
import { readPages } from '../read-pages.ts';
import { type Column, renderRecord, renderTable } from '../table.ts';
import { addTenantConsoleLink } from './tenant-console-link.ts';
import { addTenantCreate } from './tenant-create.ts';
import { addTenantErase } from './tenant-erase.ts';
import { addTenantExport } from './tenant-export.ts';
import { addTenantNumbers } from './tenant-numbers.ts';
import { addTenantRequests } from './tenant-requests.ts';
import { addTenantRetention } from './tenant-retention.ts';
import { addTenantShow } from './tenant-show.ts';
import { addTenantUsage } from './tenant-usage.ts';

const columns: readonly Column[] = [
  ['TENANT', 'id'],
  ['NAME', 'name'],
  ['STATUS', 'status'],
  ['CREATED', 'create_time'],
];

/** Adds `tenant …`. */
export function addTenantCommands(program: Command, context: CommandContext): void {
  const { act } = context;
  const tenant = program.command('tenant').description('Merchants of the platform');
  addTenantCreate(tenant, context);
  tenant
    .command('list')
    .description('List tenants')
    .action(
      act(async (client) => {
        const data = await readPages(client, '/admin/v1/tenants', 'tenants');
        return {
          data,
          text: renderTable(rowsOf(data, 'tenants'), columns, 'There are no tenants. Create one: parcelctl tenant create --name NAME'),
        };
      }),
    );
  addTenantShow(tenant, context);
  addTenantUsage(tenant, context);
  addTenantRequests(tenant, context);
  for (const [verb, effect] of [
    ['suspend', 'Suspend a tenant. Within 5 s, all its calls are refused with 40302'],
    ['resume', 'End the suspension of a tenant'],
  ] as const) {
    tenant
      .command(verb)
      .description(effect)
      .argument('<tenant>', 'id of the tenant, tnt_…')
      .action(
        act(async (client, [id = '']) => {
          const data = await client.call(`/admin/v1/tenants/${encodeURIComponent(id)}/${verb}`, { method: 'POST' });
          return { data, text: renderRecord(data) };
        }),
      );
  }
  addTenantConsoleLink(tenant, context);
  addTenantExport(tenant, context);
  addTenantErase(tenant, context);
  addTenantRetention(tenant, context);
  addTenantNumbers(tenant, context);
}
