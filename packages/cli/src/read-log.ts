import type { AdminClient, Data } from './admin-client.ts';
import type { ApiCommand, ApiRequest } from './api-command.ts';
import { CliError, exitCodes } from './cli-error.ts';
import { rowsOf } from './command-context.ts';

type Fetch = NonNullable<ApiCommand['fetch']>;

/** Which entries of a list are read, newest first. */
interface Wanted {
  /** Of the list in the response. */
  readonly name: string;
  readonly limit: number;
  /** The largest page that the route gives. */
  readonly largestPage: number;
  readonly maxPages: number;
}

/** Reads entries page by page, until there are enough of them or no more. @returns `complete` is false when others may follow */
async function readEntries(client: AdminClient, { path, call }: ApiRequest, { name, limit, largestPage, maxPages }: Wanted) {
  const entries: Data[] = [];
  let cursor: string | undefined;
  for (let page = 0; page < maxPages && entries.length < limit; page += 1) {
    const size = Math.min(largestPage, limit - entries.length);
    const data = await client.call(path, { query: { ...call.query, limit: String(size), cursor } });
    entries.push(...rowsOf(data, name));
    if (typeof data['next_cursor'] !== 'string') return { entries, complete: true };
    cursor = data['next_cursor'];
  }
  return { entries, complete: false };
}

/** Reads all pages of a list, or all of it from a platform whose list has no pages. It throws when the list does not end. */
export const allPages =
  (name: string): Fetch =>
  async (client, request) => {
    // Over a million rows: no list of people is as long.
    const all = { name, limit: Number.POSITIVE_INFINITY, largestPage: 1000, maxPages: 1000 };
    const { entries, complete } = await readEntries(client, request, all);
    if (complete) return { [name]: entries };
    throw new CliError(exitCodes.refused, `The list of ${name} does not end after ${all.maxPages} pages`);
  };

/** Reads the newest entries of a log, as many as `--limit` says. @returns `{ [name]: entries, complete }` */
export const newestOf =
  (name: string, largestPage: number): Fetch =>
  async (client, request) => {
    // Each page looks at 2,000 entries when a filter finds hardly any.
    const wanted = { name, limit: request.values['limit'] as number, largestPage, maxPages: 100 };
    const { entries, complete } = await readEntries(client, request, wanted);
    return { [name]: entries, complete };
  };

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
