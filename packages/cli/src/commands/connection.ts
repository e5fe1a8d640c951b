import type { Data } from '../admin-client.ts';
import { argument, type CommandGroup, option, recordWith, required } from '../api-command.ts';
import { exitCodes, usageError } from '../cli-error.ts';
import { type Io, rowsOf } from '../command-context.ts';
import { parseList, parseNumber } from '../option-values.ts';
import { type Column, renderTable } from '../table.ts';
import { hasUnreadableCredentials, UNREADABLE_NEXT } from '../unreadable-credentials.ts';
import { CREDENTIALS_OPTION, readCredentials } from './credentials.ts';

/** Limits as a cell of a table. */
function limitsCell({ limits }: Data): string {
  if (typeof limits !== 'object' || limits === null) return 'standard';
  return Object.entries(limits)
    .map(([name, value]) => `${name}=${value}`)
    .join(',');
}

const columns: readonly Column[] = [
  ['CONNECTION', 'connection_id'],
  ['SOURCE', 'source'],
  ['CARRIERS', 'carriers'],
  ['CREDENTIALS', (connection) => (hasUnreadableCredentials(connection) ? 'unreadable' : connection['credential_names'])],
  ['ADDRESS', (connection) => connection['base_url'] ?? "the vendor's own"],
  ['LIMITS', limitsCell],
  ['SET IN', (connection) => (connection['configured'] === true ? 'TRACKING_SOURCES' : 'the store')],
];

const PATH = '/admin/v1/carrier-connections';
const id = argument('<connection>', 'id of the connection');
const CARRIERS = [
  '--carriers <list>',
  "carrier codes, separated by commas; '*' for every carrier but simulated",
  'carriers',
  parseList,
] as const;
const BASE_URL = "URL to call instead of the vendor's own";

/** What a vendor grants an account; named as the API takes it. */
const limits = [
  option(
    '--requests-per-second <number>',
    'calls per second that the vendor grants, instead of its standard limit; may be below 1',
    'requests_per_second',
    parseNumber,
  ),
  option('--calls-per-day <count>', 'calls per day that the vendor grants', 'calls_per_day', parseNumber),
  option(
    '--fetches-per-parcel-per-day <count>',
    'calls per parcel and day that the vendor grants',
    'fetches_per_parcel_per_day',
    parseNumber,
  ),
];

/** The body of a connection: its limits in an object, and its credentials read. @param standard true for the limits of the vendor's own */
async function bodyOf(named: Data, file: unknown, io: Io, standard = false): Promise<Data> {
  const { id: connectionId, source, carriers, base_url, requests_per_second, calls_per_day, fetches_per_parcel_per_day } = named;
  const granted = Object.entries({ requests_per_second, calls_per_day, fetches_per_parcel_per_day }).filter(
    ([, value]) => value !== undefined,
  );
  if (standard && granted.length > 0) throw usageError('Give either limits or --standard-limits');
  const own = granted.length > 0 ? Object.fromEntries(granted) : undefined;
  const credentials = file === undefined ? undefined : await readCredentials(io, String(file));
  return { id: connectionId, source, base_url, carriers, credentials, limits: standard ? null : own };
}

/** `connection …`. */
export const connectionCommands: CommandGroup = {
  name: 'connection',
  about: 'Connections to vendors of tracking data that serve every tenant',
  commands: [
    {
      name: 'add',
      about: 'Connect an account with a vendor of tracking data. It serves the parcels of every tenant',
      route: `POST ${PATH}`,
      parameters: [
        required('--source <name>', 'vendor: 17track, easypost, aftership, ups, dhl, yunexpress, or generic', 'source'),
        required(...CARRIERS),
        required('--credentials-file <file>', CREDENTIALS_OPTION),
        option('--id <id>', 'id, which is the end of the address of its pushes; default: a random one', 'id'),
        option('--base-url <url>', BASE_URL, 'base_url'),
        ...limits,
      ],
      send: (named, { credentialsFile }, io) => bodyOf(named, credentialsFile, io),
      show: recordWith(({ connection_id }) => `Test it: parcelctl connection test ${String(connection_id)}`),
    },
    {
      name: 'update',
      about: 'Change the given settings of a connection. The former value of a secret that proves pushes stays valid as previous_NAME',
      route: `PATCH ${PATH}/{connection}`,
      parameters: [
        id,
        option(...CARRIERS),
        option('--credentials-file <file>', `${CREDENTIALS_OPTION}. Credentials that it does not name stay; null removes one`),
        { ...option('--base-url <url>', `${BASE_URL}; off for the vendor's own`, 'base_url'), nullWord: 'off' },
        ...limits,
        option('--standard-limits', "use the vendor's standard limits instead of those set before"),
      ],
      async send(named, { credentialsFile, standardLimits }, io) {
        const body = await bodyOf(named, credentialsFile, io, standardLimits === true);
        if (Object.values(body).every((value) => value === undefined)) throw usageError('Name what to change');
        return body;
      },
    },
    {
      name: 'test',
      about: 'Make one call that shows whether the vendor accepts the credentials. Exit code 1 when it does not',
      route: `POST ${PATH}/{connection}/test`,
      parameters: [id],
      exitCode: ({ result }) => (result === 'works' ? exitCodes.ok : exitCodes.refused),
    },
    {
      name: 'list',
      about: 'List the connections, those of the variable TRACKING_SOURCES too',
      route: `GET ${PATH}`,
      show(data) {
        const connections = rowsOf(data, 'connections');
        const note = connections.some(hasUnreadableCredentials)
          ? `\nunreadable: no secret of the platform opens these credentials, so the connection is not used. ${UNREADABLE_NEXT}\n`
          : '';
        return renderTable(connections, columns, 'There are no connections. Add one: parcelctl connection add --help') + note;
      },
    },
    {
      name: 'remove',
      about: 'Remove a connection with its credentials. One of TRACKING_SOURCES is removed there',
      route: `DELETE ${PATH}/{connection}`,
      parameters: [id],
    },
  ],
};
