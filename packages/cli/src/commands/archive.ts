import { existsSync } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { normaliseTrackingNumber } from '@parcelway/contracts/tracking-number';
import type { ArchiveFilter, ArchiveReader, ArchiveRecord, FoundObject } from '@parcelway/platform/open-archive';
import { type Command, Option } from 'commander';
import type { Data } from '../admin-client.ts';
import { CliError, exitCodes } from '../cli-error.ts';
import type { CommandContext, Io, Outcome } from '../command-context.ts';
import { onServers } from '../on-servers.ts';
import { parseCount, parseDay } from '../option-values.ts';
import { type Column, renderTable } from '../table.ts';
import { modeOf } from './doctor.ts';

interface FilterOptions extends Omit<ArchiveFilter, 'tenantId'> {
  readonly tenant?: string;
}

const NONE = 'Nothing is archived that matches.';
const HINT = 'parcelctl doctor checks the object store.';

const objectColumns: readonly Column[] = [
  ['TENANT', 'tenant_id'],
  ['KIND', 'kind'],
  ['DAY', 'day'],
  ['BYTES', 'bytes'],
  ['OBJECT', 'object'],
];

const dataOf = (record: Data): Data => (record['data'] ?? {}) as Data;
const recordColumns: readonly Column[] = [
  ['KIND', 'kind'],
  ['TENANT', 'tenant_id'],
  ['FORECAST', (record) => dataOf(record)['forecast_no']],
  ['PO NUMBER', (record) => dataOf(record)['po_number']],
  ['STATUS', (record) => dataOf(record)['status_name'] ?? dataOf(record)['latest_status']],
  ['ARCHIVED', 'archived_at'],
];

const filterOf = ({ tenant: tenantId, kind, from, to }: FilterOptions): ArchiveFilter => ({ tenantId, kind, from, to });

const objectData = ({ tenantId, kind, day, bytes, path }: FoundObject): Data => ({ tenant_id: tenantId, kind, day, bytes, object: path });

/** Opens the archive of the installation that the environment describes, and closes it behind the work. @throws CliError */
function onArchive<T>(io: Io, work: (archive: ArchiveReader) => Promise<T>): Promise<T> {
  return onServers(io, HINT, async (env) => {
    const { openEmbeddedArchive, openDistributedArchive } = await import('@parcelway/platform/open-archive');
    const archive = await (modeOf(env) === 'embedded' ? openEmbeddedArchive(env) : openDistributedArchive(env));
    try {
      return await work(archive);
    } finally {
      await archive.close();
    }
  });
}

/** The records of the wanted objects, object by object. */
async function* recordsOf(archive: ArchiveReader, filter: ArchiveFilter): AsyncGenerator<ArchiveRecord> {
  for await (const { path } of archive.objects(filter)) yield* (await archive.records(path)) ?? [];
}

const isText = (value: unknown): value is string => typeof value === 'string';

/**
 * True when a record is about a forecast of this number, compared as `parcel find` does: its forecast_no in any case, its po_number, or a logistics number
 * as a merchant writes it, of a shipment or declared by an item.
 */
function isAbout({ data }: ArchiveRecord, number: string): boolean {
  const { forecast_no, po_number, tracking_number, items } = Object(data) as Readonly<Record<string, unknown>>;
  const text = number.trim();
  if (isText(forecast_no) && forecast_no.toUpperCase() === text.toUpperCase()) return true;
  if (po_number === text) return true;
  const declared = Array.isArray(items) ? items.map((item) => Object(item)['tracking_number'] as unknown) : [];
  const wanted = normaliseTrackingNumber(text);
  return wanted !== '' && [tracking_number, ...declared].filter(isText).some((one) => normaliseTrackingNumber(one) === wanted);
}

/** True when a record was archived after another, or there is no other. */
function isLater(record: ArchiveRecord, other: ArchiveRecord | undefined): boolean {
  return other === undefined || Date.parse(record.archived_at) > Date.parse(other.archived_at);
}

/** Rows as a result. */
function listed(name: string, rows: readonly object[], columns: readonly Column[]): Outcome {
  return { data: { [name]: rows }, text: renderTable(rows as readonly Data[], columns, NONE) };
}

function withFilter(command: Command): Command {
  return command
    .option('--tenant <tenant>', 'only this tenant, tnt_…')
    .addOption(new Option('--kind <kind>', 'only these records').choices(['forecasts', 'shipments']))
    .option('--from <day>', 'archived on this day (UTC) or later, such as 2026-11-26', parseDay)
    .option('--to <day>', 'archived on this day (UTC) or before', parseDay);
}

function addList(archive: Command, { io, perform }: CommandContext): void {
  withFilter(archive.command('list'))
    .description('List the objects of the archive')
    .option('--limit <count>', 'at most so many', parseCount, 1000)
    .action(
      perform<FilterOptions & { readonly limit: number }>((options) =>
        onArchive(io, async (archive) => {
          const found: Data[] = [];
          for await (const object of archive.objects(filterOf(options))) {
            if (found.length === options.limit) break;
            found.push(objectData(object));
          }
          return listed('objects', found, objectColumns);
        }),
      ),
    );
}

function addShow(archive: Command, { io, perform }: CommandContext): void {
  archive
    .command('show')
    .description('Show the records of an object; --json prints them whole')
    .argument('<object>', 'as archive list shows it')
    .action(
      perform(async (_options, [path = '']) => {
        const records = await onArchive(io, (archive) => archive.records(path));
        if (records !== undefined) return listed('records', records, recordColumns);
        throw new CliError(exitCodes.refused, `There is no object ${path}`, 'archive list shows the existing ones.');
      }),
    );
}

function addFind(archive: Command, { io, perform }: CommandContext): void {
  withFilter(archive.command('find'))
    .description('Find what is archived of a forecast; exit code 1 when nothing is')
    .argument('<number>', 'forecast_no, po_number or tracking number')
    .action(
      perform<FilterOptions>(async (options, [number = '']) => {
        const found = new Map<string, ArchiveRecord>();
        await onArchive(io, async (archive) => {
          for await (const record of recordsOf(archive, filterOf(options))) {
            if (!isAbout(record, number)) continue;
            const key = `${record.kind} ${record.tenant_id} ${record.id}`;
            // A crash may have archived it twice; the later one counts. The objects of a day are in no order of time.
            if (isLater(record, found.get(key))) found.set(key, record);
          }
        });
        const exitCode = found.size === 0 ? exitCodes.refused : exitCodes.ok;
        return { ...listed('records', [...found.values()], recordColumns), exitCode };
      }),
    );
}

/** In place of a file: standard output. */
const STANDARD_OUTPUT = '-';

/** Writes the records as NDJSON, to standard output or to a new file, which is made with the first of them. @returns how many */
async function writeRecords(records: AsyncIterable<ArchiveRecord>, toFile: string, io: Io): Promise<number> {
  let count = 0;
  let file: FileHandle | undefined;
  try {
    for await (const record of records) {
      const line = `${JSON.stringify(record)}\n`;
      if (toFile === STANDARD_OUTPUT) io.out(line);
      else {
        file ??= await open(toFile, 'wx', 0o600);
        await file.appendFile(line);
      }
      count += 1;
    }
  } finally {
    await file?.close();
  }
  return count;
}

/** Why nothing was exported: nothing is archived of the tenant, or the other options left none. @param outcome such as "No file was written." */
async function nothingFound(archive: ArchiveReader, { tenantId }: ArchiveFilter, outcome: string): Promise<CliError> {
  if (tenantId !== undefined) {
    const { done } = await archive.objects({ tenantId })[Symbol.asyncIterator]().next();
    if (done === true) return new CliError(exitCodes.refused, `Nothing is archived of tenant ${tenantId}. ${outcome}`);
  }
  return new CliError(exitCodes.refused, `${NONE} ${outcome}`, 'archive list shows the existing objects.');
}

function addExport(archive: Command, { io, perform }: CommandContext): void {
  withFilter(archive.command('export'))
    .description('Write records to a file as NDJSON, one a line; exit code 1, and no file, when there are none')
    .requiredOption('--to-file <file>', 'new file; - writes to standard output')
    .action(
      perform<FilterOptions & { readonly toFile: string; readonly json?: boolean }>(async ({ json, toFile, ...options }) => {
        const isPrinted = toFile === STANDARD_OUTPUT;
        if (!isPrinted && existsSync(toFile)) throw new CliError(exitCodes.usage, `${toFile} exists already`, 'Name a new file.');
        const filter = filterOf(options);
        const records = await onArchive(io, async (archive) => {
          const found = recordsOf(archive, filter);
          const count = await writeRecords(found, toFile, io);
          if (count === 0) throw await nothingFound(archive, filter, isPrinted ? 'Nothing was written.' : 'No file was written.');
          return count;
        });
        if (!isPrinted) return { data: { file: toFile, records }, text: `Wrote ${records} records to ${toFile}.\n` };
        // What standard output has is the records, and nothing else.
        io.err(json ? `${JSON.stringify({ records })}\n` : `Wrote ${records} records.\n`);
        return exitCodes.ok;
      }),
    );
}

/** Adds `archive …`. */
export function addArchiveCommands(program: Command, context: CommandContext): void {
  const archive = program
    .command('archive')
    .description('Forecasts and shipments that were deleted because their retention has ended')
    .addHelpText(
      'after',
      '\nNeeds DATA_DIR, or the variables of a distributed installation for the object store. See docs/operations.md#archive.',
    );
  addList(archive, context);
  addShow(archive, context);
  addFind(archive, context);
  addExport(archive, context);
}
