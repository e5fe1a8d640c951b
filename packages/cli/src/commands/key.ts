import type { Command } from 'commander';
import type { Data } from '../admin-client.ts';
import { usageError } from '../cli-error.ts';
import { type CommandContext, rowsOf } from '../command-context.ts';
import { parseRateLimit, parseScopes, parseSeconds, type RateLimit } from '../option-values.ts';
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
    throw usageError('A key belongs to one holder: give either --tenant ID or --warehouse CODE');
  return { tenant_id: tenant, warehouse_code: warehouse, scopes, expires_in_seconds: expiresIn, rate_limit: rateLimit, description };
}

/** Adds `key …`. */
export function addKeyCommands(program: Command, { act }: CommandContext): void {
  const key = program.command('key').description('API keys of tenants and warehouses');
  key
    .command('issue')
    .description('Issue a key. It is shown this once')
    .option('--tenant <id>', 'the tenant that gets it')
    .option('--warehouse <code>', 'the warehouse that gets it')
    .option('--scopes <list>', 'what it may do, separated by commas; default all that fit the holder', parseScopes)
    .option('--expires-in <duration>', 'how long it is valid, such as 90d; default for ever', parseSeconds)
    .option('--rate-limit <limit>', 'off, or calls per second and burst such as 20:200', parseRateLimit)
    .option('--description <text>', 'note for people')
    .action(
      act<IssueOptions>(async (client, _args, options) => {
        const data = await client.call('/admin/v1/keys', { body: issueBody(options) });
        return { data, text: `${renderRecord(data)}\nKeep the key now: it is not shown again.\n` };
      }),
    );
  key
    .command('list')
    .description('List keys, without the keys themselves')
    .option('--tenant <id>', 'only those of this tenant')
    .option('--warehouse <code>', 'only those of this warehouse')
    .action(
      act<Holder>(async (client, _args, { tenant, warehouse }) => {
        const data = await client.call('/admin/v1/keys', { query: { tenant_id: tenant, warehouse_code: warehouse } });
        return { data, text: renderTable(rowsOf(data, 'keys'), columns, 'There are no such keys.') };
      }),
    );
  key
    .command('revoke')
    .description('Revoke a key: within 5 s it is refused everywhere')
    .argument('<key>', 'id of the key, key_…')
    .action(
      act(async (client, [id = '']) => {
        const data = await client.call(`/admin/v1/keys/${encodeURIComponent(id)}/revoke`, { method: 'POST' });
        return { data, text: renderRecord(data) };
      }),
    );
}
