import type { Command } from 'commander';
import type { AdminClient, Data } from '../admin-client.ts';
import { type CommandContext, type Outcome, rowsOf } from '../command-context.ts';
import { type Column, renderTable } from '../table.ts';
import { pathOfWarehouse } from './unclaimed.ts';

const forecastOf = (candidate: Data): Data => (candidate['forecast'] ?? {}) as Data;
const scanColumns: readonly Column[] = [
  ['WAREHOUSE', (candidate) => forecastOf(candidate)['warehouse_code']],
  ['FORECAST', (candidate) => forecastOf(candidate)['forecast_no']],
  ['PO NUMBER', (candidate) => forecastOf(candidate)['po_number']],
  ['TENANT', (candidate) => forecastOf(candidate)['tenant_id']],
  ['STATUS', (candidate) => forecastOf(candidate)['status_name']],
  ['MATCHED BY', 'matched_by'],
];

function weighing(parcel: Data): string | undefined {
  const measured = parcel['weighing'] as Data | null;
  if (measured === null) return undefined;
  return `${measured['weight_kg']} kg, ${measured['length_cm']} x ${measured['width_cm']} x ${measured['height_cm']} cm`;
}

function tracking(parcel: Data): string | undefined {
  const dispatch = parcel['dispatch'] as Data | null;
  if (dispatch === null) return undefined;
  const status = (parcel['tracking'] as Data | null)?.['latest_status'];
  return `${dispatch['carrier_code']} ${dispatch['tracking_number']}${status ? `: ${status}` : ''}`;
}

const parcelColumns: readonly Column[] = [
  ['TENANT', 'tenant_id'],
  ['NAME', 'tenant_name'],
  ['FORECAST', 'forecast_no'],
  ['PO NUMBER', 'po_number'],
  ['WAREHOUSE', 'warehouse_code'],
  ['STATUS', 'status_name'],
  ['UPDATED', 'update_time'],
  ['WEIGHING', weighing],
  ['TRACKING', tracking],
  ['MATCHED BY', 'matched_by'],
];

/** What a scan may mean at one warehouse. */
async function scanAt(client: AdminClient, scan: string, warehouse: string): Promise<Outcome> {
  const candidates = rowsOf(await client.call(`${pathOfWarehouse(warehouse)}/lookup`, { query: { scan } }), 'candidates');
  return { data: { scan, candidates }, text: renderTable(candidates, scanColumns, 'There are no forecasts that match this scan.') };
}

/** The parcels of any tenant with exactly this number. */
async function findEverywhere(client: AdminClient, number: string): Promise<Outcome> {
  const data = await client.call('/admin/v1/parcels', { query: { number } });
  const none = 'There are no parcels with exactly this number. With --warehouse CODE, barcodes and SKUs are searched, too.';
  const more = data['has_more'] === true ? '\nThere are more than shown.\n' : '';
  return { data, text: renderTable(rowsOf(data, 'parcels'), parcelColumns, none) + more };
}

/** Adds `parcel find`. */
export function addParcelCommands(program: Command, { act }: CommandContext): void {
  program
    .command('parcel')
    .description('Parcels of all tenants')
    .command('find')
    .description(
      "Find the parcels of all tenants with exactly this number: po_number, forecast_no, logistics number, carrier's tracking number, SSCC, claimed number or event_id of a report. With --warehouse, what a scan may mean there, also by barcode or sku_code",
    )
    .argument('<number>', 'the number, or the scanned text')
    .option('--warehouse <code>', 'read it as a scan at this warehouse')
    .action(
      act<{ warehouse?: string }>((client, [number = ''], { warehouse }) =>
        warehouse === undefined ? findEverywhere(client, number) : scanAt(client, number, warehouse),
      ),
    );
}
