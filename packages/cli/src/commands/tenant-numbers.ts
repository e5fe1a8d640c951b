import { type Command, InvalidArgumentError } from 'commander';
import { type CommandContext, rowsOf } from '../command-context.ts';
import { type Column, renderRecord, renderTable } from '../table.ts';

const columns: readonly Column[] = [
  ['TENANT', 'tenant_id'],
  ['NAME', 'tenant_name'],
  ['UNSEEN', 'unseen'],
  ['SEEN IN 30 DAYS', 'seen_30_days'],
  ['SUSPECT', ({ is_suspect }) => (is_suspect === true ? 'yes' : 'no')],
  ['LIMIT', ({ limit }) => limit ?? 'none'],
];

/** A limit: a whole number, or `none`. @throws InvalidArgumentError */
function parseLimit(text: string): number | 'none' {
  if (text === 'none') return text;
  const limit = /^\d{1,9}$/.test(text) ? Number(text) : 0;
  if (limit < 1 || limit > 100_000_000) throw new InvalidArgumentError('Enter 1 to 100000000, or none.');
  return limit;
}

/** Adds `tenant numbers` and `tenant limit-numbers`. */
export function addTenantNumbers(tenant: Command, { act }: CommandContext): void {
  tenant
    .command('numbers')
    .description('Show tenants with the most logistics numbers that no warehouse has seen, suspect ones first')
    .action(
      act(async (client) => {
        const data = await client.call('/admin/v1/declared-numbers');
        return { data, text: renderTable(rowsOf(data, 'tenants'), columns, 'No tenant has a number that no warehouse has seen') };
      }),
    );
  tenant
    .command('limit-numbers')
    .description('Limit how many logistics numbers of a tenant no warehouse has seen. Beyond it, submissions are refused with 42201')
    .argument('<tenant>', 'id of the tenant, tnt_…')
    .argument('<limit>', '1 to 100000000, or none', parseLimit)
    .action(
      act(async (client, [id = '', limit]) => {
        const body = { limit: String(limit) === 'none' ? null : Number(limit) };
        const data = await client.call(`/admin/v1/tenants/${encodeURIComponent(id)}/declared-numbers`, { method: 'PATCH', body });
        return { data, text: renderRecord({ ...data, limit: data['limit'] ?? 'none' }) };
      }),
    );
}
