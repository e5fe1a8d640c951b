import type { Command } from 'commander';
import type { Data } from '../admin-client.ts';
import { usageError } from '../cli-error.ts';
import { type CommandContext, rowsOf } from '../command-context.ts';
import { parseRateLimit, parseScopes, parseSeconds, type RateLimit } from '../option-values.ts';
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
  ['DESCRIPTION', 'description'],
];

function issueBody({ tenant, warehouse, scopes, expiresIn, rateLimit, description }: IssueOptions): Record<string, unknown> {
  if ((tenant === undefined) === (warehouse === undefined))
    throw usageError('A key belongs to one holder: use either --tenant ID or --warehouse CODE');
  return { tenant_id: tenant, warehouse_code: warehouse, scopes, expires_in_seconds: expiresIn, rate_limit: rateLimit, description };
}

/** Adds `key …`. */
export function addKeyCommands(program: Command, { act }: CommandContext): void {
  const key = program.command('key').description('API keys of tenants and warehouses');
  key
    .command('issue')
    .description('Issue a key. It is shown only once')
    .option('--tenant <id>', 'tenant of the key')
    .option('--warehouse <code>', 'warehouse of the key')
    .option('--scopes <list>', 'scopes, separated by commas; default: all scopes of the holder', parseScopes)
    .option('--expires-in <duration>', 'validity, such as 90d; default: no expiry', parseSeconds)
    .option('--rate-limit <limit>', 'off, or calls per second and burst such as 20:200', parseRateLimit)
    .option('--description <text>', 'note')
    .action(
      act<IssueOptions>(async (client, _args, options) => {
        const data = await client.call('/admin/v1/keys', { body: issueBody(options) });
        return { data, text: `${renderRecord(data)}\nSave the key now. It is not shown again.\n` };
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
  key
    .command('revoke')
    .description('Revoke a key. It stops working everywhere within 5 s')
    .argument('<key>', 'id of the key, key_…')
    .action(
      act(async (client, [id = '']) => {
        const data = await client.call(`/admin/v1/keys/${encodeURIComponent(id)}/revoke`, { method: 'POST' });
        return { data, text: renderRecord(data) };
      }),
    );
}
