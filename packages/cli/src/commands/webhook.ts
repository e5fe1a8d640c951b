import { deliveryStatuses, tenantEventTypes } from '@parcelway/contracts/webhook-api';
import { type Command, Option } from 'commander';
import type { AdminClient, Data } from '../admin-client.ts';
import { type CommandContext, type Outcome, rowsOf } from '../command-context.ts';
import { parseCount, parseInstant, parseList } from '../option-values.ts';
import { type Column, renderRecord, renderTable } from '../table.ts';

interface TenantOption {
  readonly tenant: string;
}
interface CreateOptions extends TenantOption {
  readonly url: string;
  readonly events?: string[];
  readonly description?: string;
}
interface DeliveriesOptions extends TenantOption {
  readonly status?: string;
  readonly limit?: number;
  readonly cursor?: string;
}
interface ReplayOptions extends TenantOption {
  readonly since: string;
  readonly until?: string;
  readonly only?: string;
}

const endpointColumns: readonly Column[] = [
  ['ENDPOINT', 'endpoint_id'],
  ['URL', 'url'],
  ['EVENTS', 'event_types'],
  ['STATUS', (endpoint) => (endpoint['disabled_reason'] ? `disabled (${endpoint['disabled_reason']})` : endpoint['status'])],
  ['DESCRIPTION', 'description'],
];
const deliveryColumns: readonly Column[] = [
  ['DELIVERY', 'delivery_id'],
  ['EVENT', 'event_type'],
  ['PO NUMBER', 'po_number'],
  ['STATUS', 'status'],
  ['ATTEMPTS', 'attempt_count'],
  ['LAST ANSWER', 'last_status_code'],
  ['NEXT ATTEMPT', 'next_attempt_time'],
  ['CREATED', 'create_time'],
];
const attemptColumns: readonly Column[] = [
  ['ATTEMPT', 'attempt_number'],
  ['STARTED', 'start_time'],
  ['MS', 'duration_ms'],
  ['OUTCOME', 'outcome'],
  ['ANSWER', 'status_code'],
  ['ERROR', 'error'],
];

function path({ tenant }: TenantOption, ...below: string[]): string {
  return `/admin/v1/tenants/${[tenant, 'webhook-endpoints', ...below].map((part, i) => (i === 1 ? part : encodeURIComponent(part))).join('/')}`;
}

const record = (data: Data): Outcome => ({ data, text: renderRecord(data) });
const secret = (data: Data): Outcome => ({ data, text: `${renderRecord(data)}\nKeep the secret now: it is not shown again.\n` });

type Ask = (client: AdminClient, args: readonly string[], options: TenantOption) => Promise<Data>;

/** Commands on one endpoint that need nothing but its id, and how they are called. */
const simple: readonly (readonly [name: string, description: string, ask: Ask, show: (data: Data) => Outcome])[] = [
  ['get', 'Show an endpoint', (client, [id = ''], options) => client.call(path(options, id)), record],
  [
    'delete',
    'Delete an endpoint: nothing more is sent to it',
    (client, [id = ''], options) => client.call(path(options, id), { method: 'DELETE' }),
    record,
  ],
  [
    'enable',
    'Let an endpoint receive again; webhook replay brings what it has missed',
    (client, [id = ''], options) => client.call(path(options, id), { method: 'PATCH', body: { status: 'enabled' } }),
    record,
  ],
  [
    'disable',
    'Keep the events of an endpoint instead of sending them',
    (client, [id = ''], options) => client.call(path(options, id), { method: 'PATCH', body: { status: 'disabled' } }),
    record,
  ],
  [
    'rotate-secret',
    'Give an endpoint a new secret; the former one stays valid for 24 hours',
    (client, [id = ''], options) => client.call(path(options, id, 'rotate-secret'), { method: 'POST' }),
    secret,
  ],
  [
    'test',
    'Send a test event to an endpoint',
    (client, [id = ''], options) => client.call(path(options, id, 'test'), { method: 'POST' }),
    record,
  ],
];

function addRegistration(webhook: Command, { act }: CommandContext): void {
  webhook
    .command('list')
    .description('List the endpoints of a tenant')
    .requiredOption('--tenant <id>', 'the tenant')
    .action(
      act<TenantOption>(async (client, _args, options) => {
        const data = await client.call(path(options));
        return { data, text: renderTable(rowsOf(data, 'endpoints'), endpointColumns, 'The tenant has no endpoints.') };
      }),
    );
  webhook
    .command('create')
    .description('Register an endpoint. Its signing secret is shown this once')
    .requiredOption('--tenant <id>', 'the tenant')
    .requiredOption('--url <url>', 'receiver; https and a public address')
    .option('--events <list>', `events it receives, separated by commas: ${tenantEventTypes.join(', ')}; default all`, parseList)
    .option('--description <text>', 'note for people')
    .action(
      act<CreateOptions>(async (client, _args, options) => {
        const { url, events, description } = options;
        return secret(await client.call(path(options), { body: { url, event_types: events, description } }));
      }),
    );
  for (const [name, description, ask, show] of simple) {
    webhook
      .command(name)
      .description(description)
      .argument('<endpoint>', 'id of the endpoint')
      .requiredOption('--tenant <id>', 'the tenant')
      .action(act<TenantOption>(async (client, args, options) => show(await ask(client, args, options))));
  }
}

function addDeliveries(webhook: Command, { act }: CommandContext): void {
  webhook
    .command('deliveries')
    .description('List the deliveries of an endpoint, newest first')
    .argument('<endpoint>', 'id of the endpoint')
    .requiredOption('--tenant <id>', 'the tenant')
    .addOption(new Option('--status <status>', 'only those in this state').choices(deliveryStatuses))
    .option('--limit <count>', 'page size, at most 100', parseCount)
    .option('--cursor <cursor>', 'next_cursor of the page before')
    .action(
      act<DeliveriesOptions>(async (client, [id = ''], options) => {
        const { status, limit, cursor } = options;
        const data = await client.call(path(options, id, 'deliveries'), { query: { status, limit: limit?.toString(), cursor } });
        const more = data['next_cursor'] ? `\nMore: --cursor ${data['next_cursor']}\n` : '';
        return { data, text: `${renderTable(rowsOf(data, 'deliveries'), deliveryColumns, 'There are no such deliveries.')}${more}` };
      }),
    );
  webhook
    .command('attempts')
    .description('List the attempts of a delivery, oldest first')
    .argument('<endpoint>', 'id of the endpoint')
    .argument('<delivery>', 'id of the delivery')
    .requiredOption('--tenant <id>', 'the tenant')
    .action(
      act<TenantOption>(async (client, [id = '', delivery = ''], options) => {
        const data = await client.call(path(options, id, 'deliveries', delivery, 'attempts'));
        return { data, text: renderTable(rowsOf(data, 'attempts'), attemptColumns, 'It has not been tried yet.') };
      }),
    );
}

function addRepeats(webhook: Command, { act }: CommandContext): void {
  webhook
    .command('resend')
    .description('Send a delivery again under the same webhook-id')
    .argument('<endpoint>', 'id of the endpoint')
    .argument('<delivery>', 'id of the delivery')
    .requiredOption('--tenant <id>', 'the tenant')
    .action(
      act<TenantOption>(async (client, [id = '', delivery = ''], options) =>
        record(await client.call(path(options, id, 'deliveries', delivery, 'resend'), { method: 'POST' })),
      ),
    );
  webhook
    .command('replay')
    .description('Send the events of a time range again')
    .argument('<endpoint>', 'id of the endpoint')
    .requiredOption('--tenant <id>', 'the tenant')
    .requiredOption('--since <time>', 'events from this time on: ISO 8601 with offset, or an age such as 2h', parseInstant)
    .option('--until <time>', 'events before this time; default now', parseInstant)
    .addOption(new Option('--only <which>', 'all, or those not yet delivered (default)').choices(['all', 'undelivered']))
    .action(
      act<ReplayOptions>(async (client, [id = ''], options) => {
        const { since, until, only } = options;
        return record(await client.call(path(options, id, 'replay'), { body: { since, until, only } }));
      }),
    );
}

/** Adds `webhook …`: the merchant's own calls, on a tenant's behalf. */
export function addWebhookCommands(program: Command, context: CommandContext): void {
  const webhook = program.command('webhook').description('Webhook endpoints and deliveries of a tenant');
  addRegistration(webhook, context);
  addDeliveries(webhook, context);
  addRepeats(webhook, context);
}
