import type { Data } from '../admin-client.ts';
import { argument, type CommandGroup, option } from '../api-command.ts';
import { rowsOf } from '../command-context.ts';
import { type Column, renderTable } from '../table.ts';

const ofForecast =
  (field: string) =>
  ({ forecast }: Data): unknown =>
    ((forecast ?? {}) as Data)[field];
const scanColumns: readonly Column[] = [
  ['WAREHOUSE', ofForecast('warehouse_code')],
  ['FORECAST', ofForecast('forecast_no')],
  ['PO NUMBER', ofForecast('po_number')],
  ['TENANT', ofForecast('tenant_id')],
  ['STATUS', ofForecast('status_name')],
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

const NOT_EVERYWHERE = 'There are no parcels with exactly this number. With --warehouse CODE, barcodes and SKUs are searched, too.';

/** `parcel find`. */
export const parcelCommands: CommandGroup = {
  name: 'parcel',
  about: 'Parcels of all tenants',
  commands: [
    {
      name: 'find',
      about:
        "Find the parcels of all tenants with exactly this number: po_number, forecast_no, logistics number, carrier's tracking number, SSCC, claimed number or event_id of a report. With --warehouse, what a scan may mean there, also by barcode or sku_code",
      route: ({ warehouse }) => (warehouse === undefined ? 'GET /admin/v1/parcels' : 'GET /admin/v1/warehouses/{warehouse}/lookup'),
      parameters: [
        argument('<number>', 'the number, or the scanned text', 'number'),
        option('--warehouse <code>', 'read it as a scan at this warehouse'),
      ],
      send: (named, { warehouse, number }) => (warehouse === undefined ? named : { scan: number }),
      async fetch(client, { path, call, values: { warehouse, number } }) {
        const data = await client.call(path, call);
        return warehouse === undefined ? data : { scan: number, candidates: rowsOf(data, 'candidates') };
      },
      show(data, { warehouse }) {
        if (warehouse !== undefined)
          return renderTable(rowsOf(data, 'candidates'), scanColumns, 'There are no forecasts that match this scan.');
        const more = data['has_more'] === true ? '\nThere are more than shown.\n' : '';
        return renderTable(rowsOf(data, 'parcels'), parcelColumns, NOT_EVERYWHERE) + more;
      },
    },
  ],
};
