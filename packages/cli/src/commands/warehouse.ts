import type { Data } from '../admin-client.ts';
import { argument, type CommandGroup, option, required, rows } from '../api-command.ts';
import { rowsOf } from '../command-context.ts';
import { type Column, renderTable } from '../table.ts';

const columns: readonly Column[] = [
  ['CODE', 'code'],
  ['NAME', 'name'],
  ['CLOSED', 'close_time'],
];

/** `warehouse …`. */
export const warehouseCommands: CommandGroup = {
  name: 'warehouse',
  about: 'Warehouses that forecasts can name',
  commands: [
    {
      name: 'add',
      about: 'Add a warehouse. Then issue a key: parcelctl key issue --warehouse CODE',
      route: 'POST /admin/v1/warehouses',
      parameters: [required('--code <code>', 'code that forecasts use', 'code'), required('--name <name>', 'display name', 'name')],
    },
    {
      name: 'close',
      about: 'Close a warehouse for new forecasts. What is on its way there is processed as before',
      route: 'POST /admin/v1/warehouses/{code}/close',
      parameters: [argument('<code>', 'code of the warehouse')],
    },
    {
      name: 'list',
      about: 'List warehouses',
      route: 'GET /admin/v1/warehouses',
      show: rows('warehouses', columns, 'There are no warehouses. Add one: parcelctl warehouse add --code CODE --name NAME'),
    },
  ],
};

const numberOf = (parcel: Data): unknown => parcel['express_no'] ?? parcel['forecast_no'];
const unclaimedColumns: readonly Column[] = [
  ['WAREHOUSE', 'warehouse_code'],
  ['EVENT', 'event_id'],
  ['TYPE', 'type'],
  ['NUMBER', numberOf],
  ['REASON', 'reason'],
  ['OCCURRED', 'occurred_at'],
];
const ownColumns: readonly Column[] = [
  ['EVENT', 'id'],
  ['TYPE', 'type'],
  ['NUMBER', numberOf],
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

/** Most rows of a page of one warehouse. */
const MAX_PAGE = 100;

const event = argument('<event>', 'id of a waiting event');
const reporter = required('--warehouse <code>', 'warehouse that reported the event');

/** `unclaimed …`. */
export const unclaimedCommands: CommandGroup = {
  name: 'unclaimed',
  about: 'Parcels that a warehouse reported and that belong to no forecast yet',
  commands: [
    {
      name: 'list',
      about: 'List unclaimed parcels, oldest first; with --warehouse also the forecasts that may match',
      route: ({ warehouse }) => `GET /admin/v1/${warehouse === undefined ? '' : 'warehouses/{warehouse}/'}unclaimed`,
      parameters: [
        option('--limit <count>', 'maximum; default 100, with --warehouse at most 100', 'limit'),
        option('--reason <reason>', 'only this reason: no_forecast, warehouse_mismatch, ambiguous, takes_no_dispatch', 'reason'),
        option('--warehouse <code>', 'only this warehouse'),
      ],
      send: (named, { warehouse, limit = MAX_PAGE }) =>
        warehouse === undefined ? named : { ...named, limit: Math.min(Number(limit), MAX_PAGE) },
      show(data, { warehouse }) {
        const table = renderTable(
          rowsOf(data, 'parcels'),
          warehouse === undefined ? unclaimedColumns : ownColumns,
          'There are no unclaimed parcels.',
        );
        return warehouse !== undefined && typeof data['next_cursor'] === 'string' ? `${table}There are more.\n` : table;
      },
    },
    {
      name: 'claim',
      about: 'Assign a parcel to a forecast. Every waiting event with its number is applied to the forecast',
      route: 'POST /admin/v1/warehouses/{warehouse}/unclaimed/{event}/claim',
      parameters: [event, reporter, required('--forecast <number>', 'forecast_no of a forecast of this warehouse', 'forecast_no')],
    },
    {
      name: 'dismiss',
      about: 'Dismiss a parcel. No event with its number waits for a forecast any more',
      route: 'POST /admin/v1/warehouses/{warehouse}/unclaimed/{event}/dismiss',
      parameters: [event, reporter, required('--reason <text>', 'reason', 'reason')],
    },
    {
      name: 'history',
      about: 'List claims and dismissals, newest first',
      route: 'GET /admin/v1/resolutions',
      parameters: [
        option('--limit <count>', 'maximum; default 100', 'limit'),
        option('--warehouse <code>', 'only this warehouse', 'warehouse_code'),
      ],
      show: rows('resolutions', resolutionColumns, 'There are no claims or dismissals.'),
    },
  ],
};
