import { deliveryStatuses, type ReplayResult, replayChoices } from '@parcelway/contracts/webhook-delivery-api';
import { endpointPayloads } from '@parcelway/contracts/webhook-endpoint-api';
import { standardEventTypes, TEST_EVENT_TYPE, tenantEventTypes } from '@parcelway/contracts/webhook-event-types';
import { InvalidArgumentError } from 'commander';
import type { AdminClient, Data } from '../admin-client.ts';
import { type ApiCommand, type ApiRequest, argument, type CommandGroup, option, recordWith, required, rows } from '../api-command.ts';
import { rowsOf } from '../command-context.ts';
import { parseInstant, parseJsonObject, parseList, parseNumber } from '../option-values.ts';
import { type Column, renderTable } from '../table.ts';

/** A filter as JSON, such as `{"is_terminal": true}`. @throws InvalidArgumentError */
function parseFilter(text: string): object {
  const filter = parseJsonObject(text);
  if (filter === undefined) throw new InvalidArgumentError(`Enter a JSON object such as '{"is_terminal": true}'. '{}' matches all events.`);
  return filter;
}

/** Adds `Name: value` to those given before. @throws InvalidArgumentError */
function addHeader(text: string, before: Readonly<Record<string, string>> = {}): Record<string, string> {
  const match = /^([^:\s]+):\s*(.+)$/.exec(text);
  if (!match) throw new InvalidArgumentError("Enter a header as 'Name: value'.");
  return { ...before, [match[1] as string]: match[2] as string };
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

const ENDPOINTS = '/admin/v1/tenants/{tenant}/webhook-endpoints';
const ENDPOINT = `${ENDPOINTS}/{endpoint}`;
const tenant = required('--tenant <id>', 'the tenant');
const ofEndpoint = [argument('<endpoint>', 'id of the endpoint'), tenant];
const ofDelivery = [argument('<endpoint>', 'id of the endpoint'), argument('<delivery>', 'id of the delivery'), tenant];
const URL_OPTION = ['--url <url>', 'public https URL of the receiver', 'url'] as const;
const newSecret = recordWith(() => 'Save the secret now. It is not shown again.');

/** Options that creating and changing an endpoint have in common. */
const settings = [
  option(
    '--events <list>',
    `event types, separated by commas: ${tenantEventTypes.join(', ')}. Default of a new endpoint: ${standardEventTypes.join(' and ')}`,
    'event_types',
    parseList,
  ),
  option('--description <text>', 'note', 'description'),
  option('--filter <json>', `only events whose data matches, such as '{"is_terminal": true}'`, 'filter', parseFilter),
  option('--header <line>', "header sent with every attempt, 'Name: value'; can be repeated", 'headers', addHeader),
  {
    ...option('--rate-limit <count>', 'maximum number of attempts per second; off for no limit', 'rate_limit', parseNumber),
    nullWord: 'off',
  },
  option('--payload <payload>', 'thin, or full to include the data that the query returns', 'payload', endpointPayloads),
];

/** A command that sets the status of an endpoint. */
const setting = (name: string, status: string, about: string): ApiCommand => ({
  name,
  about,
  route: `PATCH ${ENDPOINT}`,
  parameters: ofEndpoint,
  send: () => ({ status }),
});

/** Sends parts of the range until it is done. */
async function replayAll(client: AdminClient, { path, call }: ApiRequest): Promise<Data> {
  let scheduled = 0;
  let cursor: string | undefined;
  do {
    const part = (await client.call(path, { ...call, body: { ...call.body, cursor } })) as unknown as ReplayResult;
    scheduled += part.scheduled;
    cursor = part.next_cursor ?? undefined;
  } while (cursor !== undefined);
  return { scheduled };
}

const endpoints: readonly ApiCommand[] = [
  {
    name: 'list',
    about: 'List the endpoints of a tenant',
    route: `GET ${ENDPOINTS}`,
    parameters: [tenant],
    show: rows('endpoints', endpointColumns, 'The tenant has no endpoints.'),
  },
  {
    name: 'create',
    about: 'Register an endpoint. Its signing secret is shown only once',
    route: `POST ${ENDPOINTS}`,
    parameters: [tenant, required(...URL_OPTION), ...settings],
    show: newSecret,
  },
  {
    name: 'update',
    about: 'Change the given settings of an endpoint',
    route: `PATCH ${ENDPOINT}`,
    parameters: [...ofEndpoint, option(...URL_OPTION), ...settings],
  },
  { name: 'get', about: 'Show an endpoint', route: `GET ${ENDPOINT}`, parameters: ofEndpoint },
  { name: 'delete', about: 'Delete an endpoint. Nothing more is sent to it', route: `DELETE ${ENDPOINT}`, parameters: ofEndpoint },
  setting(
    'enable',
    'enabled',
    'Enable an endpoint. Deliveries that waited during a pause are sent at once; use webhook replay for held events',
  ),
  setting('pause', 'paused', 'Pause an endpoint. Its events wait until it is enabled, for a week at most'),
  setting('disable', 'disabled', 'Disable an endpoint. Its events are held until they are replayed'),
  {
    name: 'rotate-secret',
    about: 'Create a new secret for an endpoint. The old secret stays valid for 24 hours; an even older one becomes invalid at once',
    route: `POST ${ENDPOINT}/rotate-secret`,
    parameters: [
      ...ofEndpoint,
      option(
        '--end-former',
        'make the old secret invalid at once, for example because it leaked: receivers reject all webhooks until they have the new one',
        'end_former_secret',
      ),
    ],
    bodyIsOptional: true,
    show: newSecret,
  },
  {
    name: 'test',
    about: 'Send a test event to an endpoint',
    route: `POST ${ENDPOINT}/test`,
    parameters: [
      ...ofEndpoint,
      option('--type <type>', `type of the event; default ${TEST_EVENT_TYPE}`, 'event_type', [TEST_EVENT_TYPE, ...tenantEventTypes]),
    ],
    bodyIsOptional: true,
  },
];

const deliveries: readonly ApiCommand[] = [
  {
    name: 'deliveries',
    about: 'List the deliveries of an endpoint, newest first',
    route: `GET ${ENDPOINT}/deliveries`,
    parameters: [
      ...ofEndpoint,
      option('--status <status>', 'only deliveries with this status', 'status', deliveryStatuses),
      option('--event <id>', 'only the delivery of this event (webhook-id)', 'event_id'),
      option('--limit <count>', 'page size, at most 100', 'limit'),
      option('--cursor <cursor>', 'next_cursor of the previous page', 'cursor'),
    ],
    show(data) {
      const more = data['next_cursor'] ? `\nMore: --cursor ${data['next_cursor']}\n` : '';
      return `${renderTable(rowsOf(data, 'deliveries'), deliveryColumns, 'There are no deliveries that match.')}${more}`;
    },
  },
  {
    name: 'attempts',
    about: 'List the attempts of a delivery, oldest first',
    route: `GET ${ENDPOINT}/deliveries/{delivery}/attempts`,
    parameters: ofDelivery,
    show: rows('attempts', attemptColumns, 'There are no attempts yet.'),
  },
  {
    name: 'resend',
    about: 'Send a delivery again with the same webhook-id',
    route: `POST ${ENDPOINT}/deliveries/{delivery}/resend`,
    parameters: ofDelivery,
  },
  {
    name: 'replay',
    about: 'Send the events of a time range again',
    route: `POST ${ENDPOINT}/replay`,
    parameters: [
      ...ofEndpoint,
      required('--since <time>', 'start of the range: ISO 8601 with offset, or an age such as 2h', 'since', parseInstant),
      option('--until <time>', 'end of the range; default now', 'until', parseInstant),
      option('--only <which>', 'undelivered (default), failed after the last attempt, or all', 'only', replayChoices),
    ],
    fetch: replayAll,
  },
];

/** `webhook …`: the calls of the public API on behalf of a tenant. */
export const webhookCommands: CommandGroup = {
  name: 'webhook',
  about: 'Webhook endpoints and deliveries of a tenant',
  commands: [...endpoints, ...deliveries],
};
