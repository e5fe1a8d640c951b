import type { Row } from '../report/row.ts';
import type { Suite, SuiteOptions } from '../suite.ts';
import { type FilledStage, onFilledStages, type ViewMode } from '../view/filled-stage.ts';
import { measureView, type ViewRequest } from '../view/measure-requests.ts';

const PATH = '/warehouse/v1/forecasts';
const LIMIT = 100;
/** Pages before a deep one: most of the list, or as many as are read within seconds. */
const deepPages = ({ forecasts }: FilledStage): number => Math.min(1_000, Math.floor((0.8 * forecasts) / LIMIT));

interface Page {
  readonly next_cursor: string;
  readonly has_more: boolean;
}

/** The query that goes on after a page. A cursor is good for the filters that it was made with. */
const after = ({ next_cursor }: Page, filter = ''): string => `cursor=${encodeURIComponent(next_cursor)}${filter}`;

/** Goes on after so many pages of the first round, or at its end. */
async function afterPages({ client }: FilledStage, pages: number): Promise<string> {
  let page = await client.get<Page>(`${PATH}?limit=${LIMIT}`);
  for (let at = 1; at < pages && page.has_more; at += 1) page = await client.get<Page>(`${PATH}?limit=${LIMIT}&${after(page)}`);
  return after(page);
}

/** Goes on at the end of a round: nothing changes from then on. */
async function polling({ client }: FilledStage): Promise<string> {
  const filter = `&updated_from=${encodeURIComponent(new Date().toISOString())}`;
  return after(await client.get<Page>(`${PATH}?limit=${LIMIT}${filter}`), filter);
}

/** Asks for the same page over and over, with the default size of pages. */
function paged(name: string, queries: ReadonlyMap<FilledStage, string>): ViewRequest {
  return { name, send: (stage) => stage.client.send('GET', `${PATH}?${queries.get(stage)}`, null) };
}

async function queriesOf(
  stages: readonly FilledStage[],
  of: (stage: FilledStage) => Promise<string>,
): Promise<ReadonlyMap<FilledStage, string>> {
  const queries = new Map<FilledStage, string>();
  for (const stage of stages) queries.set(stage, await of(stage));
  return queries;
}

/** Pages of a warehouse's list, with few and with many forecasts: what they cost must not grow with them. */
export function viewListIn(mode: ViewMode): Suite {
  return (options: SuiteOptions): Promise<readonly Row[]> =>
    onFilledStages(options, mode, async (stages) => {
      const get = (name: string, query = ''): ViewRequest => ({ name, send: ({ client }) => client.send('GET', PATH + query, null) });
      const requests = [
        get('First page'),
        get('First page of one status', '?status=PROCESSING'),
        get('First page of one tenant', '?tenant_id=tnt_load3'),
        get('First page of 31 days', '?due_from=2026-11-01&due_to=2026-12-01'),
        paged('Deep page', await queriesOf(stages, (stage) => afterPages(stage, deepPages(stage)))),
        paged('Poll without news', await queriesOf(stages, polling)),
      ];
      return measureView(options, 'view-list', "List of a warehouse's forecasts", stages, requests);
    });
}
