import { deliveryStatuses, type ReplayResult, replayChoices } from '@parcelway/contracts/webhook-delivery-api';
import { TEST_EVENT_TYPE, tenantEventTypes } from '@parcelway/contracts/webhook-event-types';
import { type Command, Option } from 'commander';
import type { AdminClient, Data } from '../admin-client.ts';
import { type CommandContext, type Outcome, rowsOf } from '../command-context.ts';
import { parseCount, parseInstant } from '../option-values.ts';
import { type Column, renderRecord, renderTable } from '../table.ts';
import { type SettingsOptions, settingsBody, withSettings } from './webhook-settings.ts';

interface TenantOption {
  readonly tenant: string;
}
interface CreateOptions extends TenantOption, SettingsOptions {
  readonly url: string;
}
interface UpdateOptions extends TenantOption, SettingsOptions {
  readonly url?: string;
}
interface RotateOptions extends TenantOption {
  readonly endFormer?: boolean;
}
interface TestOptions extends TenantOption {
  readonly type?: string;
}
interface DeliveriesOptions extends TenantOption {
  readonly status?: string;
  readonly event?: string;
  readonly limit?: number;
  readonly cursor?: string;
}
interface ReplayOptions extends TenantOption {
  readonly since: string;
  readonly until?: string;
  readonly only?: string;
}

/** Health of an endpoint, with the end of a slow-down if there is one. */
function healthOf({ health }: Data): string {
  const { state, slowdown_end_time: end } = Object(health) as { readonly state?: string; readonly slowdown_end_time?: string | null };
  return [state, end ? `slowed down until ${end}` : ''].filter(Boolean).join(', ');
}

const endpointColumns: readonly Column[] = [
  ['ENDPOINT', 'endpoint_id'],
  ['URL', 'url'],
  ['EVENTS', 'event_types'],
  ['STATUS', (endpoint) => (endpoint['disabled_reason'] ? `disabled (${endpoint['disabled_reason']})` : endpoint['status'])],
  ['HEALTH', healthOf],
  ['DESCRIPTION', 'description'],
];
const deliveryColumns: readonly Column[] = [
  ['DELIVERY', 'delivery_id'],
  ['EVENT', 'event_type'],
  ['PO NUMBER', 'po_number'],
  ['STATUS', 'status'],
  ['ATTEMPTS', 'attempt_count'],
  ['LAST RESPONSE', 'last_status_code'],
  ['NEXT ATTEMPT', 'next_attempt_time'],
  ['REASON', 'next_attempt_reason'],
  ['CREATED', 'create_time'],
];
const attemptColumns: readonly Column[] = [
  ['ATTEMPT', 'attempt_number'],
  ['STARTED', 'start_time'],
  ['MS', 'duration_ms'],
  ['OUTCOME', 'outcome'],
  ['RESPONSE', 'status_code'],
  ['ERROR', 'error'],
  ['RETRY-AFTER', 'retry_after'],
];

function path({ tenant }: TenantOption, ...below: string[]): string {
  return `/admin/v1/tenants/${[tenant, 'webhook-endpoints', ...below].map((part, i) => (i === 1 ? part : encodeURIComponent(part))).join('/')}`;
}

const record = (data: Data): Outcome => ({ data, text: renderRecord(data) });
const secret = (data: Data): Outcome => ({ data, text: `${renderRecord(data)}\nSave the secret now. It is not shown again.\n` });

type Ask = (client: AdminClient, args: readonly string[], options: TenantOption) => Promise<Data>;

/** Commands that need only the id of an endpoint. */
const simple: readonly (readonly [name: string, description: string, ask: Ask, show: (data: Data) => Outcome])[] = [
  ['get', 'Show an endpoint', (client, [id = ''], options) => client.call(path(options, id)), record],
  [
    'delete',
    'Delete an endpoint. Nothing more is sent to it',
    (client, [id = ''], options) => client.call(path(options, id), { method: 'DELETE' }),
    record,
  ],
  [
    'enable',
    'Enable an endpoint. Deliveries that waited during a pause are sent at once; use webhook replay for held events',
    (client, [id = ''], options) => client.call(path(options, id), { method: 'PATCH', body: { status: 'enabled' } }),
    record,
  ],
  [
    'pause',
    'Pause an endpoint. Its events wait until it is enabled, for a week at most',
    (client, [id = ''], options) => client.call(path(options, id), { method: 'PATCH', body: { status: 'paused' } }),
    record,
  ],
  [
    'disable',
    'Disable an endpoint. Its events are held until they are replayed',
    (client, [id = ''], options) => client.call(path(options, id), { method: 'PATCH', body: { status: 'disabled' } }),
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
  const create = webhook
    .command('create')
    .description('Register an endpoint. Its signing secret is shown only once')
    .requiredOption('--tenant <id>', 'the tenant')
    .requiredOption('--url <url>', 'public https URL of the receiver');
  withSettings(create).action(
    act<CreateOptions>(async (client, _args, options) =>
      secret(await client.call(path(options), { body: { url: options.url, ...settingsBody(options) } })),
    ),
  );
  const update = webhook
    .command('update')
    .description('Change the given settings of an endpoint')
    .argument('<endpoint>', 'id of the endpoint')
    .requiredOption('--tenant <id>', 'the tenant')
    .option('--url <url>', 'public https URL of the receiver');
  withSettings(update).action(
    act<UpdateOptions>(async (client, [id = ''], options) => {
      const body = { url: options.url, ...settingsBody(options) };
      return record(await client.call(path(options, id), { method: 'PATCH', body }));
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

function addRotation(webhook: Command, { act }: CommandContext): void {
  webhook
    .command('rotate-secret')
    .description('Create a new secret for an endpoint. The old secret stays valid for 24 hours; an even older one becomes invalid at once')
    .argument('<endpoint>', 'id of the endpoint')
    .requiredOption('--tenant <id>', 'the tenant')
    .option(
      '--end-former',
      'make the old secret invalid at once, for example because it leaked: receivers reject all webhooks until they have the new one',
    )
    .action(
      act<RotateOptions>(async (client, [id = ''], options) => {
        const body = options.endFormer === true ? { body: { end_former_secret: true } } : {};
        return secret(await client.call(path(options, id, 'rotate-secret'), { method: 'POST', ...body }));
      }),
    );
}

function addDeliveries(webhook: Command, { act }: CommandContext): void {
  webhook
    .command('deliveries')
    .description('List the deliveries of an endpoint, newest first')
    .argument('<endpoint>', 'id of the endpoint')
    .requiredOption('--tenant <id>', 'the tenant')
    .addOption(new Option('--status <status>', 'only deliveries with this status').choices(deliveryStatuses))
    .option('--event <id>', 'only the delivery of this event (webhook-id)')
    .option('--limit <count>', 'page size, at most 100', parseCount)
    .option('--cursor <cursor>', 'next_cursor of the previous page')
    .action(
      act<DeliveriesOptions>(async (client, [id = ''], options) => {
        const { status, event, limit, cursor } = options;
        const query = { status, event_id: event, limit: limit?.toString(), cursor };
        const data = await client.call(path(options, id, 'deliveries'), { query });
        const more = data['next_cursor'] ? `\nMore: --cursor ${data['next_cursor']}\n` : '';
        return { data, text: `${renderTable(rowsOf(data, 'deliveries'), deliveryColumns, 'There are no deliveries that match.')}${more}` };
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
        return { data, text: renderTable(rowsOf(data, 'attempts'), attemptColumns, 'There are no attempts yet.') };
      }),
    );
}

function addRepeats(webhook: Command, { act }: CommandContext): void {
  webhook
    .command('resend')
    .description('Send a delivery again with the same webhook-id')
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
    .requiredOption('--since <time>', 'start of the range: ISO 8601 with offset, or an age such as 2h', parseInstant)
    .option('--until <time>', 'end of the range; default now', parseInstant)
    .addOption(new Option('--only <which>', 'undelivered (default), failed after the last attempt, or all').choices(replayChoices))
    .action(
      act<ReplayOptions>(async (client, [id = ''], options) => {
        const { since, until, only } = options;
        let scheduled = 0;
        let cursor: string | undefined;
        do {
          const part = (await client.call(path(options, id, 'replay'), {
            body: { since, until, only, cursor },
          })) as unknown as ReplayResult;
          scheduled += part.scheduled;
          cursor = part.next_cursor ?? undefined;
        } while (cursor !== undefined);
        return record({ scheduled });
      }),
    );
}

function addTest(webhook: Command, { act }: CommandContext): void {
  webhook
    .command('test')
    .description('Send a test event to an endpoint')
    .argument('<endpoint>', 'id of the endpoint')
    .requiredOption('--tenant <id>', 'the tenant')
    .addOption(new Option('--type <type>', `type of the event; default ${TEST_EVENT_TYPE}`).choices([TEST_EVENT_TYPE, ...tenantEventTypes]))
    .action(
      act<TestOptions>(async (client, [id = ''], options) => {
        const body = options.type === undefined ? {} : { body: { event_type: options.type } };
        return record(await client.call(path(options, id, 'test'), { method: 'POST', ...body }));
      }),
    );
}

/** Adds `webhook …`: the calls of the public API on behalf of a tenant. */
export function addWebhookCommands(program: Command, context: CommandContext): void {
  const webhook = program.command('webhook').description('Webhook endpoints and deliveries of a tenant');
  addRegistration(webhook, context);
  addRotation(webhook, context);
  addTest(webhook, context);
  addDeliveries(webhook, context);
  addRepeats(webhook, context);
}
