import { readFileSync, writeFileSync } from 'node:fs';
import { basename } from 'node:path';
import { type ForecastImport, type Parcelway, ParcelwayError } from '@parcelway/sdk';
import { type Command, InvalidArgumentError } from 'commander';
import { CliError, exitCodes } from '../cli-error.ts';
import type { CommandContext, Io, Outcome } from '../command-context.ts';
import { parseJsonObject } from '../option-values.ts';
import { type AccessOptions, asCliError, openTenantClient, withTenantAccess } from '../tenant-client.ts';

const WIDTH = 30;

/** The progress of an import as one line, without a line break. */
function progressLine({ phase, total, accepted, failed }: ForecastImport): string {
  if (phase === 'waiting') return 'Waiting for its turn';
  if (phase === 'reading') return `Reading: ${total} rows`;
  const done = accepted + failed;
  const filled = total === 0 ? 0 : Math.floor((WIDTH * done) / total);
  return `[${'#'.repeat(filled)}${'-'.repeat(WIDTH - filled)}] ${done} of ${total} rows, ${failed} failed`;
}

const counted = (count: number, what: string): string => `${count} ${what}${count === 1 ? '' : 's'}`;

/** What became of an import, in lines with their ends. */
function importSummary(result: ForecastImport): string {
  const { import_id, state, validate_only, accepted, failed, forecasts_accepted, forecasts_failed, error, warnings } = result;
  const lines = warnings.map(({ field, message }) => `Warning: ${field}: ${message}`);
  if (state === 'running') return [...lines, `The import ${import_id} has begun.`, ''].join('\n');
  if (error) return [...lines, `The file cannot be imported (${error.code}): ${error.message}`, ''].join('\n');
  const verb = validate_only ? 'would be accepted' : 'accepted';
  lines.push(`${counted(forecasts_accepted, 'forecast')} (${counted(accepted, 'row')}) ${verb}.`);
  if (failed > 0) lines.push(`${counted(forecasts_failed, 'forecast')} (${counted(failed, 'row')}) failed.`);
  if (state === 'cancelled') lines.push('The import was cancelled; the other rows were not submitted.');
  return [...lines, ''].join('\n');
}

interface ImportOptions extends AccessOptions {
  readonly mapping?: Readonly<Record<string, string | null>>;
  readonly validateOnly?: boolean;
  readonly wait?: boolean;
  readonly failed?: string;
  readonly json?: boolean;
}

/** Longest wait: several imports of 50,000 rows may be in front of this one. */
const WAIT_MS = 3_600_000;
const SHOWN_ROWS = 10;

/** A mapping on the command line, or in a file behind `@`. What the titles and fields may be, the platform says. @throws InvalidArgumentError */
function parseMapping(text: string): Readonly<Record<string, string | null>> {
  const parsed = parseJsonObject(text.startsWith('@') ? readGiven(text.slice(1)).toString() : text);
  if (parsed !== undefined) return parsed as Record<string, string | null>;
  throw new InvalidArgumentError('Enter a JSON object such as {"Order":"po_number","Remark":null}, or @ and a file with one.');
}

/** The format of the file of failed rows, by its name: an import knows formats by names. */
function failedFormatOf(path: string): 'csv' | 'xlsx' {
  return path.toLowerCase().endsWith('.xlsx') ? 'xlsx' : 'csv';
}

/** A name for the file of failed rows. @throws InvalidArgumentError when that file could not be imported */
function parseFailedPath(path: string): string {
  if (/\.(csv|xlsx)$/i.test(path)) return path;
  throw new InvalidArgumentError('Enter the name of a .csv or .xlsx file: the name says the format.');
}

function readGiven(path: string): Buffer {
  try {
    return readFileSync(path);
  } catch (error) {
    throw new CliError(
      exitCodes.usage,
      `Cannot read ${path} (${(error as NodeJS.ErrnoException).code})`,
      'Check the path of the file',
      error,
    );
  }
}

/** Code of a refusal → what to do next. */
const hints: Readonly<Record<string, string>> = {
  '40003': 'Check --api-key or PARCELWAY_API_KEY.',
  '40301': 'The key needs the scope forecasts:write.',
  '40902': 'Wait until an import has finished, or cancel one.',
  '42205': 'Save the spreadsheet as .xlsx or .csv.',
};

/** Without a terminal, milliseconds between two lines of progress. */
const LINE_EVERY_MS = 10_000;

/** Shows the progress on one line of a terminal, which each line overwrites; elsewhere on a line of its own every ten seconds. */
function createBar(io: Io, isQuiet: boolean): { show(progress: ForecastImport): void; end(): void } {
  let width = 0;
  let lineAt = Number.NEGATIVE_INFINITY;
  const isTerminal = io.onInterrupt !== undefined;
  return {
    show(progress) {
      if (isQuiet) return;
      const line = progressLine(progress);
      if (!isTerminal) {
        if (performance.now() - lineAt < LINE_EVERY_MS) return;
        lineAt = performance.now();
        io.err(`${line}\n`);
        return;
      }
      io.err(`\r${line.padEnd(width)}`);
      width = line.length;
    },
    end() {
      if (width > 0) io.err('\n');
    },
  };
}

/** The first failed rows, and where the others are. */
async function failedRows(parcelway: Parcelway, { import_id, failed }: ForecastImport, path: string | undefined): Promise<string> {
  if (failed === 0) return '';
  const { rows } = await parcelway.imports.rows(import_id, { state: 'failed', limit: SHOWN_ROWS });
  const lines = rows.map(({ row, errors }) => `  row ${row}: ${errors.map(({ message }) => message).join('; ')}`);
  if (failed > rows.length) lines.push(`  and ${failed - rows.length} more`);
  if (path !== undefined) {
    writeFileSync(path, (await parcelway.imports.failedRows(import_id, { format: failedFormatOf(path) })).content);
    lines.push(`The failed rows are in ${path}. Correct them and import that file.`);
  }
  return `${lines.join('\n')}\n`;
}

/** Waits until the import has finished; Ctrl-C cancels it. */
async function finished(io: Io, parcelway: Parcelway, begun: ForecastImport, isQuiet: boolean): Promise<ForecastImport> {
  const bar = createBar(io, isQuiet);
  let cancelling: Promise<unknown> | undefined;
  const forget = io.onInterrupt?.(() => {
    cancelling ??= parcelway.imports.cancel(begun.import_id).catch((error: unknown) => {
      cancelling = undefined;
      // One that has finished meanwhile cannot be cancelled; its result shows that.
      if (error instanceof ParcelwayError && error.code === '40902') return;
      io.err(`\nCannot cancel the import: ${(error as Error).message}\nIt goes on. Press Ctrl-C again to retry.\n`);
    });
  });
  try {
    return await parcelway.imports.waitUntilDone(begun.import_id, { waitMs: WAIT_MS, onProgress: (progress) => bar.show(progress) });
  } finally {
    await cancelling;
    bar.end();
    forget?.();
  }
}

async function run(io: Io, path: string, options: ImportOptions): Promise<Outcome> {
  const content = readGiven(path);
  const parcelway = openTenantClient(options, io.env);
  const { mapping, validateOnly = false, wait = false, json = false } = options;
  try {
    const upload = { name: basename(path), content, ...(mapping && { mapping }), validateOnly };
    const begun = await parcelway.imports.create(upload);
    const waits = wait || options.failed !== undefined;
    const result = waits ? await finished(io, parcelway, begun, json) : begun;
    const rows = waits ? await failedRows(parcelway, result, options.failed) : '';
    const exitCode = result.state === 'failed' || result.failed > 0 ? exitCodes.refused : exitCodes.ok;
    return { data: { ...result }, text: `${importSummary(result)}${rows}`, exitCode };
  } catch (error) {
    throw asCliError(error, hints);
  } finally {
    parcelway.close();
  }
}

const HELP = `
Without --wait, the command ends once the file is uploaded. With --wait, Ctrl-C cancels the import.
Exit code 1: a row failed, or the file cannot be imported.

  parcelctl import forecasts.xlsx --wait
  parcelctl import forecasts.xlsx --failed failed.xlsx
  parcelctl import forecasts.csv --validate-only --wait
  parcelctl import forecasts.csv --mapping '{"Order":"po_number","Remark":null}' --failed failed.csv
`;

/** Adds `import`. */
export function addImportCommand(program: Command, { io, perform }: CommandContext): void {
  const command = program
    .command('import')
    .description('Import forecasts of a tenant from a .csv or .xlsx file')
    .argument('<file>', 'spreadsheet, at most 20 MB and 50,000 rows')
    .option('--mapping <json>', 'JSON object: column title → field, or null to ignore the column; @FILE reads it from a file', parseMapping)
    .option('--validate-only', 'check every forecast and submit none')
    .option('--wait', 'wait until the import has finished, and show its progress')
    .option('--failed <file>', 'write the failed rows to this .csv or .xlsx file; waits', parseFailedPath);
  withTenantAccess(command, HELP).action(perform<ImportOptions>((options, [path = '']) => run(io, path, options)));
}
