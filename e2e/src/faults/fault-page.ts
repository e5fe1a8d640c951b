import { type FaultRow, keyOf, type PlannedRow, type RowResult, summaryOf } from './fault-row.ts';

const OPENING = '<!-- faults:begin -->';
const CLOSING = '<!-- faults:end -->';
const NOT_RUN = 'not run yet';
const COLUMNS = [
  'Fault',
  'Expected',
  'Observed',
  'Submitted',
  'Seen',
  'Lost',
  'Doubled',
  'Webhooks (repeats)',
  'Sent again',
  'Quiet after, s',
  'Ledger',
  'Date',
  'Version',
  'Machine',
] as const;
const NUMERIC = new Set<string>(['Submitted', 'Seen', 'Lost', 'Doubled', 'Webhooks (repeats)', 'Sent again', 'Quiet after, s']);

const line = (cells: readonly string[]): string =>
  `| ${cells.map((cell) => cell.replaceAll('|', '\\|').replaceAll('\n', ' ')).join(' | ')} |`;

function cellsOf({ name, expected, result }: FaultRow): string[] {
  if (result === undefined) return [name, expected, NOT_RUN, ...COLUMNS.slice(3).map(() => '')];
  const { observed, submitted, seen, lost, doubled, webhooks, repeats, sentAgain, quietAfterS, verdict, run } = result;
  const counts = [submitted, seen, lost, doubled].map(String);
  const measured = [`${webhooks} (${repeats})`, String(sentAgain ?? ''), String(quietAfterS ?? '')];
  return [name, expected, observed, ...counts, ...measured, verdict, run.date, run.version, run.machine];
}

/** What the page shows between its marks: a line for all, and a table for each group. */
function renderRows(rows: readonly FaultRow[]): string {
  const head = `${line(COLUMNS)}\n${line(COLUMNS.map((name) => (NUMERIC.has(name) ? '---:' : '---')))}`;
  const groups = [...new Set(rows.map(({ group }) => group))];
  const tables = groups.map((group) => {
    const lines = rows.filter((row) => row.group === group).map((row) => line(cellsOf(row)));
    return `### ${group}\n\n${head}\n${lines.join('\n')}\n`;
  });
  return `${summaryOf(rows)}\n\n${tables.join('\n')}`;
}

function countIn(cell: string, row: string): number {
  if (!/^\d+$/.test(cell)) throw new Error(`The page has "${cell}" where a number belongs, in the row ${row}`);
  return Number(cell);
}

function resultIn(cells: readonly string[]): RowResult | undefined {
  const [name = '', , observed = '', submitted = '', seen = '', lost = '', doubled = '', received = '', sentAgain = '', quiet = ''] = cells;
  const [verdict = '', date = '', version = '', machine = ''] = cells.slice(10);
  if (observed === NOT_RUN) return undefined;
  const count = (cell: string): number => countIn(cell, name);
  const optional = (cell: string): number | null => (cell === '' ? null : count(cell));
  const [, webhooks = '', repeats = ''] = /^(\d+) \((\d+)\)$/.exec(received) ?? [];
  return {
    observed,
    submitted: count(submitted),
    seen: count(seen),
    lost: count(lost),
    doubled: count(doubled),
    webhooks: count(webhooks),
    repeats: count(repeats),
    sentAgain: optional(sentAgain),
    quietAfterS: optional(quiet),
    verdict,
    run: { date, version, machine },
  };
}

/** Where the generated part of a page begins and ends. @throws Error when it has none */
function partOf(page: string): { readonly begin: number; readonly end: number } {
  const begin = page.indexOf(OPENING);
  const end = page.indexOf(CLOSING);
  if (begin === -1 || end < begin) throw new Error(`The page has no place for rows: ${OPENING} … ${CLOSING}`);
  return { begin: begin + OPENING.length, end };
}

/**
 * Reads the rows of a page back.
 * @throws Error when the page has no place for rows, or a row that this program has not written
 */
export function rowsIn(page: string): readonly FaultRow[] {
  const { begin, end } = partOf(page);
  const rows: FaultRow[] = [];
  let group = '';
  for (const text of page.slice(begin, end).split('\n')) {
    if (text.startsWith('### ')) group = text.slice('### '.length);
    if (!text.startsWith('| ') || text.startsWith(`| ${COLUMNS[0]} |`) || text.startsWith('| --- |')) continue;
    const cells = text
      .slice(1, -1)
      .split(/(?<!\\)\|/)
      .map((cell) => cell.trim().replaceAll('\\|', '|'));
    if (cells.length !== COLUMNS.length) throw new Error(`The page has ${cells.length} cells in place of ${COLUMNS.length}: ${text}`);
    const [name = '', expected = ''] = cells;
    const result = resultIn(cells);
    rows.push({ group, name, expected, ...(result && { result }) });
  }
  return rows;
}

/** The planned rows, in their order: with the result of this run, or the last result that is kept, or none. */
export function mergeRows(planned: readonly PlannedRow[], kept: readonly FaultRow[], fresh: readonly FaultRow[]): readonly FaultRow[] {
  const results = new Map([...kept, ...fresh].map((row) => [keyOf(row), row.result]));
  return planned.map(({ group, name, expected }) => {
    const result = results.get(keyOf({ group, name }));
    return { group, name, expected, ...(result && { result }) };
  });
}

/** The page with these rows in place of its former ones. @throws Error when it has no place for rows */
export function withRows(page: string, rows: readonly FaultRow[]): string {
  const { begin, end } = partOf(page);
  return `${page.slice(0, begin)}\n\n${renderRows(rows)}\n${page.slice(end)}`;
}
