import type { Command } from 'commander';
import type { AdminClient, Data } from '../admin-client.ts';
import { type CommandContext, rowsOf } from '../command-context.ts';
import { type Column, renderTable } from '../table.ts';
import { pathOfWarehouse } from './unclaimed.ts';

const forecastOf = (candidate: Data): Data => (candidate['forecast'] ?? {}) as Data;
const columns: readonly Column[] = [
  ['WAREHOUSE', (candidate) => forecastOf(candidate)['warehouse_code']],
  ['FORECAST', (candidate) => forecastOf(candidate)['forecast_no']],
  ['PO NUMBER', (candidate) => forecastOf(candidate)['po_number']],
  ['TENANT', (candidate) => forecastOf(candidate)['tenant_id']],
  ['STATUS', (candidate) => forecastOf(candidate)['status_name']],
  ['MATCHED BY', 'matched_by'],
];

/** The named warehouse, or all. */
async function warehousesToAsk(client: AdminClient, named: string | undefined): Promise<readonly string[]> {
  if (named !== undefined) return [named];
  return rowsOf(await client.call('/admin/v1/warehouses'), 'warehouses').map((warehouse) => String(warehouse['code']));
}

/** Adds `parcel find`. */
export function addParcelCommands(program: Command, { act }: CommandContext): void {
  program
    .command('parcel')
    .description('Parcels as warehouses see them')
    .command('find')
    .description('Find the forecasts that match a scan: tracking number, forecast_no, po_number, barcode or sku_code')
    .argument('<scan>', 'the scanned text')
    .option('--warehouse <code>', 'only this warehouse; default: all warehouses')
    .action(
      act<{ warehouse?: string }>(async (client, [scan = ''], { warehouse }) => {
        const candidates: Data[] = [];
        for (const code of await warehousesToAsk(client, warehouse)) {
          const found = await client.call(`${pathOfWarehouse(code)}/lookup`, { query: { scan } });
          candidates.push(...rowsOf(found, 'candidates'));
        }
        return { data: { scan, candidates }, text: renderTable(candidates, columns, 'There are no forecasts that match this scan.') };
      }),
    );
}
