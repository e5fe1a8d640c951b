import type { Command } from 'commander';
import { type CommandContext, rowsOf } from '../command-context.ts';
import { readPages } from '../read-pages.ts';
import { type Column, renderRecord, renderTable } from '../table.ts';
import { addTenantErase } from './tenant-erase.ts';
import { addTenantExport } from './tenant-export.ts';
import { addTenantRetention } from './tenant-retention.ts';

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
  tenant
    .command('create')
    .description('Create a tenant. Then issue a key: parcelctl key issue --tenant ID')
    .requiredOption('--name <name>', 'name of the merchant')
    .action(
      act<{ name: string }>(async (client, _args, { name }) => {
        const data = await client.call('/admin/v1/tenants', { body: { name } });
        const { warnings: _, ...tenant } = data;
        return {
          data,
          text:
            renderRecord(tenant) +
            rowsOf(data, 'warnings')
              .map(({ message }) => `\nWarning: ${message}\n`)
              .join(''),
        };
      }),
    );
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
  addTenantExport(tenant, context);
  addTenantErase(tenant, context);
  addTenantRetention(tenant, context);
}
