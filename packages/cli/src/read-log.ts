import type { AdminClient, Data } from './admin-client.ts';
import { CliError, exitCodes } from './cli-error.ts';
import { rowsOf } from './command-context.ts';

/** Which entries of a log are read. */
export interface LogRequest {
  readonly path: string;
  /** Of the list in the response. */
  readonly name: string;
  /** Filters; undefined values are left out. */
  readonly query: Readonly<Record<string, string | undefined>>;
  /** Entries to read at most. */
  readonly limit: number;
  /** The largest page that the route gives. */
  readonly largestPage: number;
}

/** Entries of a log, newest first. */
export interface LogEntries {
  readonly entries: readonly Data[];
  /** False when older ones may follow. */
  readonly complete: boolean;
}

/** Pages that are read at most of a log: each looks at 2,000 entries when a filter finds hardly any. */
const MAX_PAGES = 100;
/** Of a whole list: over a million rows. No list of people is as long. */
const MAX_LIST_PAGES = 1000;

/**
 * Reads entries page by page, until there are enough of them or no more.
 * @throws CliError as `call`
 */
export async function readLog(
  client: Pick<AdminClient, 'call'>,
  { path, name, query, limit, largestPage }: LogRequest,
  maxPages = MAX_PAGES,
): Promise<LogEntries> {
  const entries: Data[] = [];
  let cursor: string | undefined;
  for (let page = 0; page < maxPages && entries.length < limit; page += 1) {
    const size = Math.min(largestPage, limit - entries.length);
    const data = await client.call(path, { query: { ...query, limit: String(size), cursor } });
    entries.push(...rowsOf(data, name));
    if (typeof data['next_cursor'] !== 'string') return { entries, complete: true };
    cursor = data['next_cursor'];
  }
  return { entries, complete: false };
}

/**
 * Reads a whole list. A platform whose list has no pages gives all of it at once.
 * @returns `data` of the list as if it had come at once
 * @throws CliError as `call`, and when the list does not end
 */
export async function readPages(
  client: Pick<AdminClient, 'call'>,
  path: string,
  name: string,
  query: LogRequest['query'] = {},
): Promise<{ readonly [name: string]: readonly Data[] }> {
  const all = { path, name, query, limit: Number.POSITIVE_INFINITY, largestPage: 1000 };
  const { entries, complete } = await readLog(client, all, MAX_LIST_PAGES);
  if (complete) return { [name]: entries };
  throw new CliError(exitCodes.refused, `The list of ${name} does not end after ${MAX_LIST_PAGES} pages`);
}

/**
 * Entries as a text that says whether there may be more.
 * @param data `complete`, and the entries by `name`
 * @param render makes the text of the entries; it gets what to say when there are none
 * @param none what to say when the log has none
 */
export function logText(data: Data, name: string, render: (entries: readonly Data[], none: string) => string, none: string): string {
  const complete = data['complete'] === true;
  const text = render(rowsOf(data, name), complete ? none : 'None was found so far: narrow the time with --from and --to.');
  return complete ? text : `${text}There may be more: narrow the time, or ask for more with --limit.\n`;
}
