import type { Command } from 'commander';
import type { Data } from '../admin-client.ts';
import { usageError } from '../cli-error.ts';
import { type CommandContext, rowsOf } from '../command-context.ts';
import {
  parseAddresses,
  parseLifetime,
  parseOverlap,
  parseRateLimit,
  parseScopes,
  parseSeconds,
  type RateLimit,
} from '../option-values.ts';
import { readPages } from '../read-pages.ts';
import { type Column, renderRecord, renderTable } from '../table.ts';

interface Holder {
  readonly tenant?: string;
  readonly warehouse?: string;
}

interface IssueOptions extends Holder {
  readonly scopes?: string[];
  readonly expiresIn?: number;
  readonly rateLimit?: RateLimit;
  readonly description?: string;
  readonly allowedAddresses?: string[];
}

interface ChangeOptions {
  readonly scopes?: string[];
  readonly expiresIn?: number | 'never';
  readonly description?: string;
  readonly allowedAddresses?: string[];
}

function state(key: Data): string {
  if (key['revoke_time']) return 'revoked';
  return key['expire_time'] && Date.parse(String(key['expire_time'])) <= Date.now() ? 'expired' : 'valid';
}

const columns: readonly Column[] = [
  ['KEY', 'key_id'],
  ['PREFIX', 'prefix'],
  ['HOLDER', (key) => key['tenant_id'] ?? key['warehouse_code']],
  ['SCOPES', 'scopes'],
  ['STATE', state],
  ['EXPIRES', 'expire_time'],
  ['LAST USE', 'last_use_time'],
  [
    'ADDRESSES',
    (key) => (Array.isArray(key['allowed_addresses']) && key['allowed_addresses'].length > 0 ? key['allowed_addresses'] : 'any'),
  ],
  ['CREATED BY', (key) => key['created_by'] ?? 'operator'],
  ['ROTATED TO', 'rotated_to'],
  ['DESCRIPTION', 'description'],
];

const ADDRESSES = 'addresses and networks that may use the key, separated by commas; any for all';

/** A new key, which nobody can show again. */
const newKeyText = (data: Data): string => `${renderRecord(data)}\nSave the key now. It is not shown again.\n`;
const pathOf = (id: string): string => `/admin/v1/keys/${encodeURIComponent(id)}`;

function issueBody({ tenant, warehouse, ...given }: IssueOptions): Record<string, unknown> {
  if ((tenant === undefined) === (warehouse === undefined))
    throw usageError('A key belongs to one holder: use either --tenant ID or --warehouse CODE');
  return {
    tenant_id: tenant,
    warehouse_code: warehouse,
    scopes: given.scopes,
    expires_in_seconds: given.expiresIn,
    rate_limit: given.rateLimit,
    description: given.description,
    allowed_addresses: given.allowedAddresses,
  };
}

function changeBody({ scopes, expiresIn, description, allowedAddresses }: ChangeOptions): Record<string, unknown> {
  const seconds = expiresIn === 'never' ? null : expiresIn;
  const body = { scopes, expires_in_seconds: seconds, description, allowed_addresses: allowedAddresses };
  if (Object.values(body).every((value) => value === undefined))
    throw usageError('Nothing to change: use --scopes, --expires-in, --description or --allowed-addresses');
  return body;
}

/** Commands that change a key that exists. */
function addChanges(key: Command, { act }: CommandContext): void {
  key
    .command('change')
    .description('Change the given settings of a key, within 5 s')
    .argument('<key>', 'id of the key, key_…')
    .option('--scopes <list>', 'scopes in the place of the present ones, separated by commas', parseScopes)
    .option('--expires-in <duration>', 'validity from now on, such as 90d, or never', parseLifetime)
    .option('--description <text>', 'note')
    .option('--allowed-addresses <list>', ADDRESSES, parseAddresses)
    .action(
      act<ChangeOptions>(async (client, [id = ''], options) => {
        const data = await client.call(pathOf(id), { method: 'PATCH', body: changeBody(options) });
        return { data, text: renderRecord(data) };
      }),
    );
  key
    .command('rotate')
    .description('Issue a key with the same settings. The former one still works for a while. The new key is shown only once')
    .argument('<key>', 'id of the key, key_…')
    .option('--overlap <duration>', 'how long the former key still works, such as 24h, or 0s; default: 24h', parseOverlap)
    .action(
      act<{ readonly overlap?: number }>(async (client, [id = ''], { overlap }) => {
        const data = await client.call(`${pathOf(id)}/rotate`, { body: { overlap_seconds: overlap } });
        return { data, text: newKeyText(data) };
      }),
    );
  key
    .command('revoke')
    .description('Revoke a key. It stops working everywhere within 5 s')
    .argument('<key>', 'id of the key, key_…')
    .action(
      act(async (client, [id = '']) => {
        const data = await client.call(`${pathOf(id)}/revoke`, { method: 'POST' });
        return { data, text: renderRecord(data) };
      }),
    );
}

/** Adds `key …`. */
export function addKeyCommands(program: Command, context: CommandContext): void {
  const { act } = context;
  const key = program.command('key').description('API keys of tenants and warehouses');
  key
    .command('issue')
    .description('Issue a key. It is shown only once')
    .option('--tenant <id>', 'tenant of the key')
    .option('--warehouse <code>', 'warehouse of the key')
    .option('--scopes <list>', 'scopes, separated by commas; default: all scopes of the holder except keys:manage', parseScopes)
    .option('--expires-in <duration>', 'validity, such as 90d; default: no expiry', parseSeconds)
    .option('--rate-limit <limit>', 'off, or calls per second and burst such as 20:200', parseRateLimit)
    .option('--description <text>', 'note')
    .option('--allowed-addresses <list>', ADDRESSES, parseAddresses)
    .action(
      act<IssueOptions>(async (client, _args, options) => {
        const data = await client.call('/admin/v1/keys', { body: issueBody(options) });
        return { data, text: newKeyText(data) };
      }),
    );
  key
    .command('list')
    .description('List keys (without the secret values)')
    .option('--tenant <id>', 'only keys of this tenant')
    .option('--warehouse <code>', 'only this warehouse')
    .action(
      act<Holder>(async (client, _args, { tenant, warehouse }) => {
        const data = await readPages(client, '/admin/v1/keys', 'keys', { tenant_id: tenant, warehouse_code: warehouse });
        return { data, text: renderTable(rowsOf(data, 'keys'), columns, 'There are no keys that match.') };
      }),
    );
  addChanges(key, context);
}
