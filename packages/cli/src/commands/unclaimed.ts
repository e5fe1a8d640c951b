import type { Command } from 'commander';
import { type CommandContext, rowsOf } from '../command-context.ts';
import { parseCount } from '../option-values.ts';
import { type Column, renderRecord, renderTable } from '../table.ts';

const columns: readonly Column[] = [
  ['WAREHOUSE', 'warehouse_code'],
  ['EVENT', 'event_id'],
  ['TYPE', 'type'],
  ['NUMBER', (parcel) => parcel['express_no'] ?? parcel['forecast_no']],
  ['REASON', 'reason'],
  ['OCCURRED', 'occurred_at'],
];
const ownColumns: readonly Column[] = [
  ['EVENT', 'id'],
  ['TYPE', 'type'],
  ['NUMBER', (parcel) => parcel['express_no'] ?? parcel['forecast_no']],
  ['REASON', 'reason'],
  ['CANDIDATES', 'candidates'],
  ['OCCURRED', 'occurred_at'],
];
const resolutionColumns: readonly Column[] = [
  ['WAREHOUSE', 'warehouse_code'],
  ['EVENT', 'id'],
  ['ACTION', 'action'],
  ['FORECAST', 'forecast_no'],
  ['REASON', 'reason'],
  ['EVENTS', 'events'],
  ['AT', 'resolved_at'],
  ['BY', 'resolved_by'],
];

const NONE = 'There are no unclaimed parcels.';
/** Most rows of a page of one warehouse. */
const MAX_PAGE = 100;

interface ListChoice {
  readonly limit?: number;
  readonly reason?: string;
  readonly warehouse?: string;
}

/** Path of a warehouse in the admin API. */
export function pathOfWarehouse(code: string): string {
  return `/admin/v1/warehouses/${encodeURIComponent(code)}`;
}

/** Adds `unclaimed …`. */
export function addUnclaimedCommands(program: Command, { act }: CommandContext): void {
  const unclaimed = program.command('unclaimed').description('Parcels that a warehouse reported and that belong to no forecast yet');
  unclaimed
    .command('list')
    .description('List unclaimed parcels, oldest first; with --warehouse also the forecasts that may match')
    .option('--limit <count>', 'maximum; default 100, with --warehouse at most 100', parseCount)
    .option('--reason <reason>', 'only this reason: no_forecast, warehouse_mismatch, ambiguous, takes_no_dispatch')
    .option('--warehouse <code>', 'only this warehouse')
    .action(
      act<ListChoice>(async (client, _args, { limit, reason, warehouse }) => {
        if (warehouse === undefined) {
          const data = await client.call('/admin/v1/unclaimed', { query: { limit: limit?.toString(), reason } });
          return { data, text: renderTable(rowsOf(data, 'parcels'), columns, NONE) };
        }
        const query = { limit: String(Math.min(limit ?? MAX_PAGE, MAX_PAGE)), reason };
        const data = await client.call(`${pathOfWarehouse(warehouse)}/unclaimed`, { query });
        const more = typeof data['next_cursor'] === 'string' ? 'There are more.\n' : '';
        return { data, text: `${renderTable(rowsOf(data, 'parcels'), ownColumns, NONE)}${more}` };
      }),
    );
  unclaimed
    .command('claim')
    .description('Assign a parcel to a forecast. Every waiting event with its number is applied to the forecast')
    .argument('<event>', 'id of a waiting event')
    .requiredOption('--warehouse <code>', 'warehouse that reported the event')
    .requiredOption('--forecast <number>', 'forecast_no of a forecast of this warehouse')
    .action(
      act<{ warehouse: string; forecast: string }>(async (client, [event = ''], { warehouse, forecast }) => {
        const path = `${pathOfWarehouse(warehouse)}/unclaimed/${encodeURIComponent(event)}/claim`;
        const data = await client.call(path, { body: { forecast_no: forecast } });
        return { data, text: renderRecord(data) };
      }),
    );
  unclaimed
    .command('dismiss')
    .description('Dismiss a parcel. No event with its number waits for a forecast any more')
    .argument('<event>', 'id of a waiting event')
    .requiredOption('--warehouse <code>', 'warehouse that reported the event')
    .requiredOption('--reason <text>', 'reason')
    .action(
      act<{ warehouse: string; reason: string }>(async (client, [event = ''], { warehouse, reason }) => {
        const path = `${pathOfWarehouse(warehouse)}/unclaimed/${encodeURIComponent(event)}/dismiss`;
        const data = await client.call(path, { body: { reason } });
        return { data, text: renderRecord(data) };
      }),
    );
  unclaimed
    .command('history')
    .description('List claims and dismissals, newest first')
    .option('--limit <count>', 'maximum; default 100', parseCount)
    .option('--warehouse <code>', 'only this warehouse')
    .action(
      act<ListChoice>(async (client, _args, { limit, warehouse }) => {
        const data = await client.call('/admin/v1/resolutions', { query: { limit: limit?.toString(), warehouse_code: warehouse } });
        return { data, text: renderTable(rowsOf(data, 'resolutions'), resolutionColumns, 'There are no claims or dismissals.') };
      }),
    );
}
