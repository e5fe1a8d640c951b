import type { AdminClient, Data } from './admin-client.ts';
import { CliError, exitCodes } from './cli-error.ts';
import { rowsOf } from './command-context.ts';

/** The largest page that the admin API gives. */
const PAGE = '1000';
/** Over a million rows: no list of people is as long. */
const MAX_PAGES = 1000;

/**
 * Reads a list of the admin API page by page. A platform whose list has no pages gives all of it at once.
 * @param name of the list in the response
 * @returns `data` of the list as if it had come at once
 * @throws CliError as `call`, and when the list does not end
 */
export async function readPages(
  client: Pick<AdminClient, 'call'>,
  path: string,
  name: string,
  query: Readonly<Record<string, string | undefined>> = {},
): Promise<{ readonly [name: string]: readonly Data[] }> {
  const rows: Data[] = [];
  let cursor: string | undefined;
  for (let page = 0; page < MAX_PAGES; page += 1) {
    const data = await client.call(path, { query: { ...query, limit: PAGE, cursor } });
    rows.push(...rowsOf(data, name));
    if (typeof data['next_cursor'] !== 'string') return { [name]: rows };
    cursor = data['next_cursor'];
  }
  throw new CliError(exitCodes.refused, `The list of ${name} does not end after ${MAX_PAGES} pages`);
}
