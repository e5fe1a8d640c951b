import { operatorAuditActions } from '@parcelway/contracts/operator-activity-api';
import type { Command } from 'commander';
import type { Data } from '../admin-client.ts';
import type { CommandContext } from '../command-context.ts';
import { parseShown } from '../option-values.ts';
import { logText, readLog } from '../read-log.ts';
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
  readonly limit: number;
}

interface Entry extends Data {
  readonly tenant_id: string | null;
  readonly actor: { readonly type: string; readonly id: string; readonly session?: string };
  readonly resource: { readonly type: string; readonly id: string | null };
}

/** An entry as a row: who is one text, and so is what. */
function rowOf(entry: Data): Data {
  const { tenant_id, actor, resource, ...rest } = entry as unknown as Entry;
  const acting = actor.session === undefined ? '' : ` (${actor.session})`;
  const by = actor.type === 'operator' ? `operator ${actor.id}` : `${actor.id}${acting}`;
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
    .option('--limit <number>', 'entries to show, 1 to 1000', parseShown, 100)
    .action(
      act<AuditOptions>(async (client, _arguments, { tenant, operator, action, from, to, limit }) => {
        const query = { tenant_id: tenant, operator, action, created_from: from, created_to: to };
        const log = await readLog(client, { path: '/admin/v1/audit-log', name: 'entries', query, limit, largestPage: 1000 });
        const render = (entries: readonly Data[], none: string): string => renderTable(entries.map(rowOf), columns, none);
        return { data: { ...log }, text: logText(log, render, 'There are no such changes.') };
      }),
    );
}
