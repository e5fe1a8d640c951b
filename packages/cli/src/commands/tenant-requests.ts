import { FAILED_CALLS_KEPT_DAYS } from '@parcelway/contracts/activity-api';
import { errorCodes } from '@parcelway/kernel/error-codes';
import { type Command, Option } from 'commander';
import type { Data } from '../admin-client.ts';
import { type CommandContext, rowsOf } from '../command-context.ts';
import { parseInstant, parseShown } from '../option-values.ts';
import { logText, readLog } from '../read-log.ts';
import { type Column, cellText, renderRecord, renderTable } from '../table.ts';

interface RequestsOptions {
  readonly requestId?: string;
  readonly key?: string;
  readonly code?: string;
  readonly from?: string;
  readonly to?: string;
  readonly limit: number;
}

const columns: readonly Column[] = [
  ['TIME', 'time'],
  ['METHOD', 'method'],
  ['ROUTE', ({ route, path }) => route ?? path],
  ['CODE', ({ code, status }) => code ?? status],
  ['MESSAGE', 'message'],
  ['KEY', 'key_id'],
  ['REQUEST', 'request_id'],
];

/** A call with all that is kept of it; wrong fields one a line. */
function detailText(call: Data): string {
  const { data, ...rest } = call;
  const errors = rowsOf((data ?? {}) as Data, 'errors');
  if (errors.length === 0) return renderRecord(call);
  return renderRecord(rest) + errors.map(({ message }) => `  - ${cellText(message)}\n`).join('');
}

const KEPT = `the last ${FAILED_CALLS_KEPT_DAYS} days`;
const NO_SUCH_CALL = `No failed call of ${KEPT} has this request id. The call succeeded, had an unknown key or one of another tenant, or is so recent that it is not recorded yet.`;

/** Adds `tenant requests`. */
export function addTenantRequests(tenant: Command, { act }: CommandContext): void {
  tenant
    .command('requests')
    .description(`List failed calls of a tenant in ${KEPT}, newest first. With --request-id, show all that is kept of the call`)
    .argument('<tenant>', 'id of the tenant, tnt_…')
    .option('--request-id <id>', 'only the call with this X-Request-Id')
    .option('--key <id>', 'only calls with this key, key_…')
    .addOption(new Option('--code <code>', 'only calls with this code of the response').choices(errorCodes))
    .option('--from <time>', 'only at or after this time: ISO 8601 with offset, or an age such as 2h', parseInstant)
    .option('--to <time>', 'only before this time', parseInstant)
    .option('--limit <count>', 'calls to show, 1 to 1000', parseShown, 20)
    .action(
      act<RequestsOptions>(async (client, [id = ''], { requestId, key, code, from, to, limit }) => {
        const path = `/admin/v1/tenants/${encodeURIComponent(id)}/requests`;
        const query = { request_id: requestId, key_id: key, code, created_from: from, created_to: to };
        const log = await readLog(client, { path, name: 'requests', query, limit, largestPage: 100 });
        const data = { requests: log.entries, complete: log.complete };
        if (requestId === undefined)
          return { data, text: logText(log, (calls, none) => renderTable(calls, columns, none), 'There are no such calls.') };
        const render = (calls: readonly Data[], none: string): string => calls.map(detailText).join('\n') || `${none}\n`;
        return { data, text: logText(log, render, NO_SUCH_CALL) };
      }),
    );
}
