import { operatorAuditActions } from '@parcelway/contracts/operator-activity-api';
import { operatorRoles } from '@parcelway/contracts/operator-api';
import type { Data } from '../admin-client.ts';
import { type ApiCommand, argument, type CommandGroup, option, recordWith, required, rows } from '../api-command.ts';
import { exitCodes } from '../cli-error.ts';
import { rowsOf } from '../command-context.ts';
import { parseCount, parseSeconds } from '../option-values.ts';
import { logText, newestOf } from '../read-log.ts';
import { type Column, cellText, renderRecord, renderTable } from '../table.ts';

const operatorColumns: readonly Column[] = [
  ['OPERATOR', 'name'],
  ['ROLE', 'role'],
  ['STATE', 'state'],
  ['CREATED', 'create_time'],
  ['EXPIRES', 'expire_time'],
  ['LAST USE', 'last_use_time'],
];
const NO_OPERATORS = 'There are no operators besides the token of the installation. Create one: parcelctl operator create NAME --role ROLE';

/** `operator …`. */
export const operatorCommands: CommandGroup = {
  name: 'operator',
  about: 'Who may use the admin API, each with a token and a role',
  commands: [
    {
      name: 'create',
      about: 'Create an operator. The token is shown only once',
      route: 'POST /admin/v1/operators',
      parameters: [
        argument('<name>', '1 to 32 characters out of a to z, 0 to 9 and -', 'name'),
        required(
          '--role <role>',
          'read: look at everything but exports; support: also keys of tenants, webhook endpoints, redriving; admin: everything',
          'role',
          operatorRoles,
        ),
        option('--expires-in <duration>', 'validity of the token, such as 90d; default: no expiry', 'expires_in_seconds', parseSeconds),
      ],
      show: recordWith(() => 'Save the token now. It is not shown again. Use it as PARCEL_ADMIN_TOKEN.'),
    },
    {
      name: 'list',
      about: 'List operators (without their tokens)',
      route: 'GET /admin/v1/operators',
      show: rows('operators', operatorColumns, NO_OPERATORS),
    },
    {
      name: 'revoke',
      about: 'Revoke the token of an operator. It stops working within 5 s',
      route: 'POST /admin/v1/operators/{name}/revoke',
      parameters: [argument('<name>', 'name of the operator')],
    },
  ],
};

interface Entry extends Data {
  readonly tenant_id: string | null;
  readonly actor: { readonly type: string; readonly id: string; readonly session?: string };
  readonly resource: { readonly type: string; readonly id: string | null };
}

const entryOf = (entry: Data): Entry => entry as unknown as Entry;

function actorOf({ type, id, session }: Entry['actor']): string {
  if (type === 'operator') return `operator ${id}`;
  return session === undefined ? id : `${id} (${session})`;
}

const auditColumns: readonly Column[] = [
  ['TIME', 'time'],
  ['TENANT', 'tenant_id'],
  ['ACTION', 'action'],
  ['BY', (entry) => actorOf(entryOf(entry).actor)],
  [
    'RESOURCE',
    (entry) => {
      const { type, id } = entryOf(entry).resource;
      return [type, id].filter(Boolean).join(' ');
    },
  ],
  ['OUTCOME', 'outcome'],
  ['REQUEST', 'request_id'],
];

/** `audit`. */
export const auditCommand: ApiCommand = {
  name: 'audit',
  about: 'Who changed what: tenants with their keys, and operators. Newest first',
  route: 'GET /admin/v1/audit-log',
  parameters: [
    option('--tenant <id>', 'only changes that concern this tenant', 'tenant_id'),
    option('--operator <name>', 'only changes by this operator', 'operator'),
    option('--action <action>', `only this action, such as ${operatorAuditActions[0]}`, 'action'),
    option('--from <time>', 'only at or after this time, such as 2026-01-31T00:00:00Z', 'created_from'),
    option('--to <time>', 'only before this time', 'created_to'),
    { flags: '--limit <number>', about: 'entries to show, 1 to 1000', parse: parseCount, fallback: 100 },
  ],
  fetch: newestOf('entries', 1000),
  show: (data) => logText(data, 'entries', (entries, none) => renderTable(entries, auditColumns, none), 'There are no such changes.'),
};

const queueColumns: readonly Column[] = [
  ['SERVICE', 'service'],
  // The topic of events is part of the name.
  ['QUEUE', ({ queue, topic }) => [queue, topic].filter(Boolean).join(' ')],
  ['WAITING', 'waiting'],
  ['OLDEST', ({ oldest_wait_seconds: oldest }) => (typeof oldest === 'number' && oldest > 0 ? `${Math.round(oldest)} s` : undefined)],
];

/** `status`. */
export const statusCommand: ApiCommand = {
  name: 'status',
  about: 'Check whether every service is ready; exit code 1 if one is not',
  route: 'GET /admin/v1/status',
  async fetch(client, { path }) {
    const { code, message, data } = await client.ask(path);
    return { ...data, ...(code !== '0' && { problem: message }) };
  },
  show: ({ services, problem }) =>
    `${problem === undefined ? 'Ready' : `Not ready: ${cellText(problem)}`}\n${renderRecord(Object(services) as Data)}`,
  exitCode: ({ problem }) => (problem === undefined ? exitCodes.ok : exitCodes.refused),
};

/** `queues`. */
export const queuesCommand: ApiCommand = {
  name: 'queues',
  about: 'What waits in each service: events, messages, webhooks, polls, unclaimed events',
  route: 'GET /admin/v1/queues',
  show(data) {
    const unknown = Array.isArray(data['unknown']) ? (data['unknown'] as readonly string[]) : [];
    const table = renderTable(rowsOf(data, 'queues'), queueColumns, 'No queues');
    return unknown.length === 0 ? table : `${table}\nNot known now: ${unknown.join(', ')}. Look at: parcelctl status`;
  },
};
