import { operatorAuditActions } from '@parcelway/contracts/operator-activity-api';
import type { Command } from 'commander';
import type { Data } from '../admin-client.ts';
import { type CommandContext, rowsOf } from '../command-context.ts';
import { type Column, renderTable } from '../table.ts';

const columns: readonly Column[] = [
  ['TIME', 'time'],
  ['TENANT', 'tenant'],
  ['ACTION', 'action'],
  ['BY', 'by'],
  ['RESOURCE', 'resource'],
  ['OUTCOME', 'outcome'],
  ['REQUEST', 'request_id'],
];

/** What the options are called on the command line. */
interface AuditOptions {
  readonly tenant?: string;
  readonly operator?: string;
  readonly action?: string;
  readonly from?: string;
  readonly to?: string;
  readonly limit?: string;
}

interface Entry extends Data {
  readonly tenant_id: string | null;
  readonly actor: { readonly type: string; readonly id: string };
  readonly resource: { readonly type: string; readonly id: string | null };
}

/** An entry as a row: who is one text, and so is what. */
function rowOf(entry: Data): Data {
  const { tenant_id, actor, resource, ...rest } = entry as unknown as Entry;
  const by = actor.type === 'operator' ? `operator ${actor.id}` : actor.id;
  return { ...rest, tenant: tenant_id ?? '-', by, resource: [resource.type, resource.id].filter(Boolean).join(' ') };
}

/** Adds `audit`. */
export function addAuditCommand(program: Command, { act }: CommandContext): void {
  program
    .command('audit')
    .description('Who changed what: tenants with their keys, and operators. Newest first')
    .option('--tenant <id>', 'only changes that concern this tenant')
    .option('--operator <name>', 'only changes by this operator')
    .option('--action <action>', `only this action, such as ${operatorAuditActions[0]}`)
    .option('--from <time>', 'only at or after this time, such as 2026-01-31T00:00:00Z')
    .option('--to <time>', 'only before this time')
    .option('--limit <number>', 'entries to show, 1 to 1000', '100')
    .action(
      act<AuditOptions>(async (client, _arguments, { tenant, operator, action, from, to, limit }) => {
        const query = { tenant_id: tenant, operator, action, created_from: from, created_to: to, limit };
        const data = await client.call('/admin/v1/audit-log', { query });
        const text = renderTable(rowsOf(data, 'entries').map(rowOf), columns, 'There are no such changes.');
        return { data, text: data['next_cursor'] ? `${text}There are more: narrow the time, or ask for more with --limit.\n` : text };
      }),
    );
}
