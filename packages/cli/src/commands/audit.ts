import { operatorAuditActions } from '@parcelway/contracts/operator-activity-api';
import type { Command } from 'commander';
import type { AdminClient, Data } from '../admin-client.ts';
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

/** Pages that are read at most: each looks at 2,000 entries when a filter finds hardly any. */
const MAX_PAGES = 100;

/** Reads on while pages have fewer entries than are asked for. */
async function readEntries(client: Pick<AdminClient, 'call'>, query: Readonly<Record<string, string | undefined>>) {
  const entries: Data[] = [];
  let cursor: string | undefined;
  for (let page = 0; page < MAX_PAGES; page += 1) {
    const data = await client.call('/admin/v1/audit-log', { query: { ...query, cursor } });
    entries.push(...rowsOf(data, 'entries'));
    const next = data['next_cursor'];
    if (typeof next !== 'string') return { entries, isEnd: true };
    if (entries.length >= Number(query['limit'])) break;
    cursor = next;
  }
  return { entries, isEnd: false };
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
        const { entries, isEnd } = await readEntries(client, query);
        const none = isEnd ? 'There are no such changes.' : 'None was found so far: narrow the time with --from and --to.';
        const text = renderTable(entries.map(rowOf), columns, none);
        return {
          data: { entries, complete: isEnd },
          text: isEnd ? text : `${text}There may be more: narrow the time, or ask for more with --limit.\n`,
        };
      }),
    );
}
