import type { Command } from 'commander';
import type { Data } from '../admin-client.ts';
import { exitCodes } from '../cli-error.ts';
import { type CommandContext, rowsOf } from '../command-context.ts';
import { parseCount } from '../option-values.ts';
import { type Column, cellText, renderRecord, renderTable } from '../table.ts';

const columns: readonly Column[] = [
  ['WAREHOUSE', 'warehouse_code'],
  ['EVENT', 'event_id'],
  ['TYPE', 'type'],
  ['NUMBER', (parcel) => parcel['express_no'] ?? parcel['forecast_no']],
  ['REASON', 'reason'],
  ['OCCURRED', 'occurred_at'],
];

function asServices(value: unknown): Data {
  return value !== null && typeof value === 'object' ? (value as Data) : {};
}

/** Adds `unclaimed list` and `status`. */
export function addOperationCommands(program: Command, { act }: CommandContext): void {
  program
    .command('unclaimed')
    .description('Parcels that a warehouse has reported and no forecast claims')
    .command('list')
    .description('List unclaimed parcels, oldest first')
    .option('--limit <count>', 'at most so many; default 100', parseCount)
    .option('--reason <reason>', 'only those that wait for this reason: no_forecast, warehouse_mismatch, ambiguous, takes_no_dispatch')
    .action(
      act<{ limit?: number; reason?: string }>(async (client, _args, { limit, reason }) => {
        const data = await client.call('/admin/v1/unclaimed', { query: { limit: limit?.toString(), reason } });
        return { data, text: renderTable(rowsOf(data, 'parcels'), columns, 'There are no unclaimed parcels.') };
      }),
    );
  program
    .command('status')
    .description('Ask every service whether it is ready; exit code 1 when one is not')
    .action(
      act(async (client) => {
        const { code, message, data } = await client.ask('/admin/v1/status');
        const isReady = code === '0';
        const services = asServices(data?.['services']);
        return {
          data: data ?? { status: 'not ready' },
          text: `${isReady ? 'Ready' : `Not ready: ${cellText(message)}`}\n${renderRecord(services)}`,
          exitCode: isReady ? exitCodes.ok : exitCodes.refused,
        };
      }),
    );
}
