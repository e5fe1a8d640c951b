import { writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import type { AdminClient, Data } from '../admin-client.ts';
import { type ApiCommand, argument, option, type Values, YES } from '../api-command.ts';
import { CliError, exitCodes } from '../cli-error.ts';
import { confirm, type Io, rowsOf } from '../command-context.ts';
import { parseDay } from '../option-values.ts';
import { renderTable } from '../table.ts';

const POLL_MS = 1000;
/** Tries that fail in a row while the command runs, some minutes together, until it ends. */
const MAX_TRIES = 5;
/** So long in a row the platform may be out: a restart takes less. The erasure goes on without this command. */
const MAX_FAILURES = 60;

const HELP = `
First suspends the tenant: within 5 s its keys are refused everywhere. Then deletes its data from every service, in small steps, and ends with a report
of what was deleted and what remains until when. The platform does the work: interrupt the command at any time, and run it again to see the report.
Nothing can be restored. The archive of the tenant is deleted too. Export both first: parcelctl tenant export, parcelctl archive export. See docs/operate.md.`;

const countOf = (erasure: Data): number => rowsOf(erasure, 'removed').reduce((sum, { count }) => sum + Number(count), 0);
const failuresOf = (erasure: Data): number => Number(erasure['failures'] ?? 0);

/** What people see of an erasure: each line is shown once. */
function linesOf(erasure: Data): string[] {
  const lastLook = String(erasure['last_look_time'] ?? '');
  return [
    `${countOf(erasure)} records deleted`,
    ...(failuresOf(erasure) > 0 ? [`Failed ${failuresOf(erasure)} times: ${erasure['failure']}. It is tried again by itself`] : []),
    ...(Date.parse(lastLook) > Date.now() ? [`The last look for data begins at ${lastLook}; the erasure waits for it`] : []),
  ];
}

/** Looks at the erasure until it has ended. @throws CliError when the platform cannot be reached for long, or the erasure fails again and again */
async function untilFinished(client: AdminClient, io: Io, path: string, begun: Data): Promise<Data> {
  let erasure = begun;
  const shown = new Set<string>();
  // Failures in a row from before the command do not count.
  let before = failuresOf(begun);
  for (let unreachable = 0; erasure['state'] !== 'finished'; ) {
    for (const line of linesOf(erasure)) {
      if (!shown.has(line)) io.err(`  ${line}\n`);
      shown.add(line);
    }
    before = Math.min(before, failuresOf(erasure));
    if (failuresOf(erasure) - before >= MAX_TRIES) {
      const hint = 'The platform goes on trying, every 10 minutes at last: see the log of the gateway, and run the command again.';
      const why = `The erasure is not finished. It failed ${failuresOf(erasure)} times: ${erasure['failure']}`;
      throw new CliError(exitCodes.refused, why, hint);
    }
    await wait(io.pollMs ?? POLL_MS);
    try {
      erasure = await client.call(path);
      unreachable = 0;
    } catch (error) {
      unreachable += 1;
      if (unreachable > MAX_FAILURES || !(error instanceof CliError) || error.exitCode !== exitCodes.unreachable) throw error;
    }
  }
  return erasure;
}

/** The report with what only the operator knows. */
function withBackups(erasure: Data, until: unknown): Data {
  if (until === undefined) return erasure;
  const remains = rowsOf(erasure, 'remains').map((one) => (one['what'] === 'backups' ? { ...one, until } : one));
  return { ...erasure, remains };
}

function renderReport(erasure: Data, file: string): string {
  const removed = renderTable(
    rowsOf(erasure, 'removed'),
    [
      ['SERVICE', 'service'],
      ['KIND', 'kind'],
      ['DELETED', 'count'],
    ],
    'Nothing was there to delete.',
  );
  const remains = renderTable(
    rowsOf(erasure, 'remains'),
    [
      ['REMAINS', 'what'],
      ['UNTIL', 'until'],
      ['NOTE', 'note'],
    ],
    '',
  );
  return `Tenant ${String(erasure['tenant_id'])} was erased at ${String(erasure['finish_time'])}.\n\n${removed}\n${remains}\nThe report is in ${file}. Keep it apart from the backups.\n`;
}

const fileOf = ({ tenant, report }: Values): string =>
  resolve(String(report ?? `erasure-${String(tenant).replace(/[^A-Za-z0-9_-]/g, '')}.json`));

/** `tenant erase`. */
export const tenantErase: ApiCommand = {
  name: 'erase',
  about: 'Delete a tenant with all of its data from every service. Asks for confirmation',
  route: 'POST /admin/v1/tenants/{tenant}/erasure',
  parameters: [
    argument('<tenant>', 'id of the tenant, tnt_…'),
    YES,
    option('--report <file>', 'file for the report; default erasure-TENANT.json here'),
    option('--backups-until <day>', 'day on which the last backup with data of the tenant is deleted, for the report', undefined, parseDay),
  ],
  help: HELP,
  asks: { hint: 'Check with parcelctl tenant list which tenant it is' },
  async fetch(client, { path, call, values }, io) {
    const question = `Erase the tenant ${values['tenant']} with all of its data permanently?`;
    if (values['yes'] !== true) await confirm(io, question, 'Nothing was erased.');
    const begun = await client.call(path, call);
    const data = withBackups(await untilFinished(client, io, path, begun), values['backupsUntil']);
    await writeFile(fileOf(values), `${JSON.stringify(data, null, 2)}\n`);
    return data;
  },
  show: (data, values) => renderReport(data, fileOf(values)),
};
