import { MAX_USAGE_DAYS } from '@parcelway/contracts/activity-api';
import type { Command } from 'commander';
import type { Data } from '../admin-client.ts';
import { type CommandContext, rowsOf } from '../command-context.ts';
import { parseDay } from '../option-values.ts';
import { type Column, renderTable } from '../table.ts';

interface UsageOptions {
  readonly from?: string;
  readonly to?: string;
}

/** A figure of what was stored; undefined when it was not measured. */
const storedOf =
  (figure: string) =>
  ({ storage }: Data): unknown =>
    (storage as Data | null | undefined)?.[figure];

const columns: readonly Column[] = [
  ['DAY', 'date'],
  ['CALLS', 'calls'],
  ['FAILED', 'failed_calls'],
  ['PARCELS', 'parcels'],
  ['EVENTS', 'events'],
  ['UPLOADS', 'files'],
  ['UPLOADED BYTES', 'stored_bytes'],
  ['STORED FILES', storedOf('files')],
  ['STORED BYTES', storedOf('bytes')],
];

/** Adds `tenant usage`. */
export function addTenantUsage(tenant: Command, { act }: CommandContext): void {
  tenant
    .command('usage')
    .description('Show what a tenant used on each day (UTC): calls, failed calls, parcels, events, uploads, and what was stored')
    .argument('<tenant>', 'id of the tenant, tnt_…')
    .option('--from <day>', 'first day, such as 2026-11-01; default: 30 days before the last one', parseDay)
    .option('--to <day>', `last day, at most ${MAX_USAGE_DAYS - 1} days after the first one; default: today`, parseDay)
    .action(
      act<UsageOptions>(async (client, [id = ''], { from, to }) => {
        const query = { from_date: from, to_date: to };
        const data = await client.call(`/admin/v1/tenants/${encodeURIComponent(id)}/usage`, { query });
        const total = { ...(data['total'] as Data | undefined), date: 'total' };
        return { data, text: renderTable([...rowsOf(data, 'days'), total], columns, '') };
      }),
    );
}
