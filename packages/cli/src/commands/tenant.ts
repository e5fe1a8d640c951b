import { FAILED_CALLS_KEPT_DAYS, MAX_USAGE_DAYS } from '@parcelway/contracts/activity-api';
import { CONSOLE_LINK_SECONDS } from '@parcelway/contracts/console-api';
import { errorCodes } from '@parcelway/kernel/error-codes';
import type { Data } from '../admin-client.ts';
import { type ApiCommand, argument, type CommandGroup, option, recordWith, rows } from '../api-command.ts';
import { rowsOf } from '../command-context.ts';
import { parseCount, parseInstant, parseList, parseNumber } from '../option-values.ts';
import { allPages, logText, newestOf } from '../read-log.ts';
import { type Column, cellText, renderRecord, renderTable } from '../table.ts';
import { tenantCreate, warningLines } from './tenant-create.ts';
import { tenantErase } from './tenant-erase.ts';
import { tenantExport } from './tenant-export.ts';
import { tenantRetention } from './tenant-retention.ts';

const id = argument('<tenant>', 'id of the tenant, tnt_…');
const TENANT = '/admin/v1/tenants/{tenant}';

const tenantColumns: readonly Column[] = [
  ['TENANT', 'id'],
  ['NAME', 'name'],
  ['STATUS', 'status'],
  ['CREATED', 'create_time'],
];

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

/** A figure of what was stored; undefined when it was not measured. */
const storedOf =
  (figure: string) =>
  ({ storage }: Data): unknown =>
    (storage as Data | null | undefined)?.[figure];

const usageColumns: readonly Column[] = [
  ['DAY', 'date'],
  ['CALLS', 'calls'],
  ['FAILED', 'failed_calls'],
  ['PARCELS', 'parcels'],
  ['EVENTS', 'events'],
  ['UPLOADS', 'files'],
  ['UPLOADED BYTES', 'stored_bytes'],
  ['STORED FILES', storedOf('files')],
  ['STORED BYTES', storedOf('bytes')],
];

const requestColumns: readonly Column[] = [
  ['TIME', 'time'],
  ['METHOD', 'method'],
  ['ROUTE', ({ route, path }) => route ?? path],
  ['CODE', ({ code, status }) => code ?? status],
  ['MESSAGE', 'message'],
  ['KEY', 'key_id'],
  ['REQUEST', 'request_id'],
];

/** A call with all that is kept of it; wrong fields one a line. */
function callText(call: Data): string {
  const { data, ...rest } = call;
  const errors = rowsOf((data ?? {}) as Data, 'errors');
  if (errors.length === 0) return renderRecord(call);
  return renderRecord(rest) + errors.map(({ message }) => `  - ${cellText(message)}\n`).join('');
}

const KEPT = `the last ${FAILED_CALLS_KEPT_DAYS} days`;
const NO_SUCH_CALL = `No failed call of ${KEPT} has this request id. The call succeeded, had an unknown key or one of another tenant, or is so recent that it is not recorded yet.`;

const numberColumns: readonly Column[] = [
  ['TENANT', 'tenant_id'],
  ['NAME', 'tenant_name'],
  ['UNSEEN', 'unseen'],
  ['SEEN IN 30 DAYS', 'seen_30_days'],
  ['SUSPECT', ({ is_suspect }) => (is_suspect === true ? 'yes' : 'no')],
  ['LIMIT', ({ limit }) => limit ?? 'none'],
];

const MOST_MINUTES = CONSOLE_LINK_SECONDS.most / 60;
/** Minutes in seconds. @throws InvalidArgumentError */
const parseMinutes = (text: string): number => parseNumber(text) * 60;

const looks: readonly ApiCommand[] = [
  {
    name: 'list',
    about: 'List tenants',
    route: 'GET /admin/v1/tenants',
    fetch: allPages('tenants'),
    show: rows('tenants', tenantColumns, 'There are no tenants. Create one: parcelctl tenant create --name NAME'),
  },
  {
    name: 'show',
    about: 'Show a tenant: keys, webhook endpoints, parcels by status (up to 1000 of each), last activity',
    route: `GET ${TENANT}`,
    parameters: [id],
    show: detailText,
  },
  {
    name: 'rename',
    about: 'Give a tenant another name',
    route: `PATCH ${TENANT}`,
    parameters: [id, argument('<name>', 'name of the merchant', 'name')],
    show: ({ warnings, ...renamed }) => renderRecord(renamed) + warningLines({ warnings }),
  },
  {
    name: 'usage',
    about: 'Show what a tenant used on each day (UTC): calls, failed calls, parcels, events, uploads, and what was stored',
    route: `GET ${TENANT}/usage`,
    parameters: [
      id,
      option('--from <day>', 'first day, such as 2026-11-01; default: 30 days before the last one', 'from_date'),
      option('--to <day>', `last day, at most ${MAX_USAGE_DAYS - 1} days after the first one; default: today`, 'to_date'),
    ],
    show: (data) => renderTable([...rowsOf(data, 'days'), { ...Object(data['total']), date: 'total' }], usageColumns, ''),
  },
  {
    name: 'requests',
    about: `List failed calls of a tenant in ${KEPT}, newest first. With --request-id, show all that is kept of the call`,
    route: `GET ${TENANT}/requests`,
    parameters: [
      id,
      option('--request-id <id>', 'only the call with this X-Request-Id', 'request_id'),
      option('--key <id>', 'only calls with this key, key_…', 'key_id'),
      option('--code <code>', 'only calls with this code of the response', 'code', errorCodes),
      option('--from <time>', 'only at or after this time: ISO 8601 with offset, or an age such as 2h', 'created_from', parseInstant),
      option('--to <time>', 'only before this time', 'created_to', parseInstant),
      { flags: '--limit <count>', about: 'calls to show, 1 to 1000', parse: parseCount, fallback: 20 },
    ],
    fetch: newestOf('requests', 100),
    show(data, { requestId }) {
      if (requestId === undefined)
        return logText(data, 'requests', (calls, none) => renderTable(calls, requestColumns, none), 'There are no such calls.');
      return logText(data, 'requests', (calls, none) => calls.map(callText).join('\n') || `${none}\n`, NO_SUCH_CALL);
    },
  },
];

const changes: readonly ApiCommand[] = [
  {
    name: 'suspend',
    about: 'Suspend a tenant. Within 5 s, all its calls are refused with 40302',
    route: `POST ${TENANT}/suspend`,
    parameters: [id],
  },
  { name: 'resume', about: 'End the suspension of a tenant', route: `POST ${TENANT}/resume`, parameters: [id] },
  {
    name: 'console-link',
    about: 'Create a link that opens the console of a tenant. Anyone with the link can use it until it expires',
    route: `POST ${TENANT}/console-links`,
    parameters: [
      id,
      option('--scopes <list>', 'what the link may do, separated by commas; default weighing:read,tracking:read', 'scopes', parseList),
      option('--minutes <count>', `how long it works: 1 to ${MOST_MINUTES}; default ${MOST_MINUTES}`, 'expires_in_seconds', parseMinutes),
    ],
    show: recordWith(({ key_id }) => `Send it only to its user. To end it earlier: parcelctl key revoke ${key_id}`),
  },
];

const numbers: readonly ApiCommand[] = [
  {
    name: 'numbers',
    about: 'Show tenants with the most logistics numbers that no warehouse has seen, suspect ones first',
    route: 'GET /admin/v1/declared-numbers',
    show: rows('tenants', numberColumns, 'No tenant has a number that no warehouse has seen'),
  },
  {
    name: 'limit-numbers',
    about: 'Limit how many logistics numbers of a tenant no warehouse has seen. Beyond it, submissions are refused with 42201',
    route: `PATCH ${TENANT}/declared-numbers`,
    parameters: [id, { ...argument('<limit>', '1 to 100000000, or none', 'limit', parseNumber), nullWord: 'none' }],
    show: (data) => renderRecord({ ...data, limit: data['limit'] ?? 'none' }),
  },
];

/** `tenant …`. */
export const tenantCommands: CommandGroup = {
  name: 'tenant',
  about: 'Merchants of the platform',
  commands: [tenantCreate, ...looks, ...changes, tenantExport, tenantErase, tenantRetention, ...numbers],
};
