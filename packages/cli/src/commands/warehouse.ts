import type { Command } from 'commander';
import { type CommandContext, rowsOf } from '../command-context.ts';
import { type Column, renderRecord, renderTable } from '../table.ts';

const columns: readonly Column[] = [
  ['CODE', 'code'],
  ['NAME', 'name'],
  ['CLOSED', 'close_time'],
];

/** Adds `warehouse …`. */
export function addWarehouseCommands(program: Command, { act }: CommandContext): void {
  const warehouse = program.command('warehouse').description('Warehouses that forecasts can name');
  warehouse
    .command('add')
    .description('Add a warehouse. Then issue a key: parcelctl key issue --warehouse CODE')
    .requiredOption('--code <code>', 'code that forecasts use')
    .requiredOption('--name <name>', 'display name')
    .action(
      act<{ code: string; name: string }>(async (client, _args, { code, name }) => {
        const data = await client.call('/admin/v1/warehouses', { body: { code, name } });
        return { data, text: renderRecord(data) };
      }),
    );
  warehouse
    .command('close')
    .description('Close a warehouse for new forecasts. What is on its way there is processed as before')
    .argument('<code>', 'code of the warehouse')
    .action(
      act(async (client, [code = '']) => {
        const data = await client.call(`/admin/v1/warehouses/${encodeURIComponent(code)}/close`, { method: 'POST' });
        return { data, text: renderRecord(data) };
      }),
    );
  warehouse
    .command('list')
    .description('List warehouses')
    .action(
      act(async (client) => {
        const data = await client.call('/admin/v1/warehouses');
        const none = 'There are no warehouses. Add one: parcelctl warehouse add --code CODE --name NAME';
        return { data, text: renderTable(rowsOf(data, 'warehouses'), columns, none) };
      }),
    );
}
