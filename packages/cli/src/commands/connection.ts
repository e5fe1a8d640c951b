import type { Command } from 'commander';
import type { Data } from '../admin-client.ts';
import { exitCodes, usageError } from '../cli-error.ts';
import { type CommandContext, type Outcome, rowsOf } from '../command-context.ts';
import { parseList } from '../option-values.ts';
import { type Column, renderRecord, renderTable } from '../table.ts';
import { hasUnreadableCredentials, UNREADABLE_NEXT } from '../unreadable-credentials.ts';
import { addLimitOptions, type LimitOptions, limitChangeIn, limitsCell, limitsIn } from './connection-limits.ts';
import { CREDENTIALS_OPTION, readCredentials } from './credentials.ts';

interface AddOptions extends LimitOptions {
  readonly source: string;
  readonly carriers: string[];
  readonly credentialsFile: string;
  readonly id?: string;
  readonly baseUrl?: string;
}
interface UpdateOptions extends LimitOptions {
  readonly carriers?: string[];
  readonly credentialsFile?: string;
  readonly baseUrl?: string;
  readonly standardLimits?: true;
}

const PATH = '/admin/v1/carrier-connections';
const pathOf = (id: string): string => `${PATH}/${encodeURIComponent(id)}`;
const CARRIERS_OPTION = "carrier codes, separated by commas; '*' for every carrier but simulated";
const BASE_URL_OPTION = "address in the place of the vendor's own";

const columns: readonly Column[] = [
  ['CONNECTION', 'connection_id'],
  ['SOURCE', 'source'],
  ['CARRIERS', 'carriers'],
  ['CREDENTIALS', (connection) => (hasUnreadableCredentials(connection) ? 'unreadable' : connection['credential_names'])],
  ['ADDRESS', (connection) => connection['base_url'] ?? "the vendor's own"],
  ['LIMITS', limitsCell],
  ['SET IN', (connection) => (connection['configured'] === true ? 'TRACKING_SOURCES' : 'the store')],
];

const record = (data: Data): Outcome => ({ data, text: renderRecord(data) });

/** Commands that write a connection. */
function addWriting(connection: Command, { io, act }: CommandContext): void {
  const add = connection
    .command('add')
    .description('Connect an account with a vendor of tracking data. It serves the parcels of every tenant')
    .requiredOption('--source <name>', 'vendor: 17track, easypost, aftership, ups, dhl, yunexpress, or generic')
    .requiredOption('--carriers <list>', CARRIERS_OPTION, parseList)
    .requiredOption('--credentials-file <file>', CREDENTIALS_OPTION)
    .option('--id <id>', 'id, which is the end of the address of its pushes; default: a random one')
    .option('--base-url <url>', BASE_URL_OPTION);
  addLimitOptions(add).action(
    act<AddOptions>(async (client, _args, { source, carriers, credentialsFile, id, baseUrl, ...options }) => {
      const credentials = await readCredentials(io, credentialsFile);
      const data = await client.call(PATH, { body: { id, source, base_url: baseUrl, carriers, credentials, limits: limitsIn(options) } });
      return { data, text: `${renderRecord(data)}\nTest it: parcelctl connection test ${String(data['connection_id'])}\n` };
    }),
  );
  const update = connection
    .command('update')
    .description('Change the given settings of a connection. The former value of a secret that proves pushes stays valid as previous_NAME')
    .argument('<connection>', 'id of the connection')
    .option('--carriers <list>', CARRIERS_OPTION, parseList)
    .option('--credentials-file <file>', `${CREDENTIALS_OPTION}. Credentials that it does not name stay; null removes one`)
    .option('--base-url <url>', `${BASE_URL_OPTION}; off for the vendor's own`);
  addLimitOptions(update)
    .option('--standard-limits', "the vendor's standard limits, in the place of all that were set before")
    .action(
      act<UpdateOptions>(async (client, [id = ''], { carriers, credentialsFile, baseUrl, ...options }) => {
        const limits = limitChangeIn(options);
        const credentials = credentialsFile === undefined ? undefined : await readCredentials(io, credentialsFile);
        const body = { carriers, credentials, base_url: baseUrl === 'off' ? null : baseUrl, limits };
        if (Object.values(body).every((value) => value === undefined)) throw usageError('Name what to change');
        return record(await client.call(pathOf(id), { method: 'PATCH', body }));
      }),
    );
}

/** Adds `connection …`. */
export function addConnectionCommands(program: Command, context: CommandContext): void {
  const { act } = context;
  const connection = program.command('connection').description('Connections to vendors of tracking data that serve every tenant');
  addWriting(connection, context);
  connection
    .command('test')
    .description('Make one call that shows whether the vendor accepts the credentials. Exit code 1 when it does not')
    .argument('<connection>', 'id of the connection')
    .action(
      act<object>(async (client, [id = '']) => {
        const data = await client.call(`${pathOf(id)}/test`, { method: 'POST' });
        return { ...record(data), exitCode: data['result'] === 'works' ? exitCodes.ok : exitCodes.refused };
      }),
    );
  connection
    .command('list')
    .description('List the connections, those of the variable TRACKING_SOURCES too')
    .action(
      act<object>(async (client) => {
        const data = await client.call(PATH);
        const none = 'There are no connections. Add one: parcelctl connection add --help';
        const rows = rowsOf(data, 'connections');
        const note = rows.some(hasUnreadableCredentials)
          ? `\nunreadable: no secret of the platform opens these credentials, so the connection is not used. ${UNREADABLE_NEXT}\n`
          : '';
        return { data, text: renderTable(rows, columns, none) + note };
      }),
    );
  connection
    .command('remove')
    .description('Remove a connection with its credentials. One of TRACKING_SOURCES is removed there')
    .argument('<connection>', 'id of the connection')
    .action(act<object>(async (client, [id = '']) => record(await client.call(pathOf(id), { method: 'DELETE' }))));
}
