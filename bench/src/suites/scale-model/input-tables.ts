import { formatNumber, type Table } from '../../report/table.ts';
import {
  type InputName,
  inputSources,
  type MeasuredCost,
  measuredCosts,
  type ProcessName,
  processes,
  type ScaleInputs,
  type StoredSize,
  type Vector,
} from './inputs.ts';
import { numberIn, type PublishedTable, publishedNumber, tableBelow } from './published-tables.ts';

/** Title of the table that `push-costs` makes. */
export const PUSH_TITLE = 'CPU time of a push by process';
/** Its columns. */
export const PUSH_COLUMNS = ['Process', 'push with a new status, to its webhook, ms', 'push with a further node, ms'] as const;
/** Title of the table of `costs`. */
const COST_TITLE = 'CPU time by process';
const SIZE_TITLE = 'Stored of a million parcels';
const SIZE_COLUMNS = ['Service', 'Data, GiB', 'Indexes, GiB', 'Kept for, days', 'From'] as const;

/** Where each cost over all processes is published. */
const costColumns: Readonly<Record<MeasuredCost, readonly [title: string, column: string]>> = {
  idle: [COST_TITLE, 'idle, ms/s'],
  submission: [COST_TITLE, 'the same with its documents, ms'],
  eventInBatch: [COST_TITLE, 'weighing in batches to webhook, ms'],
  eventOnKafka: [COST_TITLE, 'weighing on Kafka to webhook, ms'],
  pushChanged: [PUSH_TITLE, PUSH_COLUMNS[1]],
  pushSame: [PUSH_TITLE, PUSH_COLUMNS[2]],
};

/** The costs and the numbers that a page has, as its measuring suites have written them. @throws Error naming what the page lacks */
export function measuredIn(page: string): Pick<ScaleInputs, 'costs' | 'others'> {
  const tables = new Map<string, PublishedTable>();
  const tableOf = (title: string): PublishedTable => {
    const table = tables.get(title) ?? tableBelow(page, title);
    tables.set(title, table);
    return table;
  };
  const vectorOf = (cost: MeasuredCost): Vector => {
    const [title, column] = costColumns[cost];
    const microseconds = (process: ProcessName): number => 1000 * publishedNumber(tableOf(title), [process], column);
    return Object.fromEntries(processes.map((process) => [process, microseconds(process)])) as Vector;
  };
  return {
    costs: Object.fromEntries(measuredCosts.map((cost) => [cost, vectorOf(cost)])) as Record<MeasuredCost, Vector>,
    others: Object.fromEntries(
      Object.entries(inputSources).map(([name, { heading, line, column }]) => [name, publishedNumber(tableOf(heading), line, column)]),
    ) as Record<InputName, number>,
  };
}

/** The sizes as the page states them; {@link sizesIn} reads them back. @param daysOf how long a service keeps what it stores */
export function sizeTable({ sizes, sizesFrom }: ScaleInputs, daysOf: (service: string) => number): Table {
  return {
    title: SIZE_TITLE,
    columns: SIZE_COLUMNS.map((name, index) => ({ name, numeric: index > 0 && index < 4 })),
    lines: sizes.map(({ service, data, indexes }) => [service, data, indexes, String(daysOf(service)), sizesFrom]),
  };
}

/** Three digits that count, as a page shows them. */
const rounded = (value: number): number => numberIn(formatNumber(value), 'A size');

/** Sizes as a page can state them, so that a model of the page's numbers is the model of these. */
export function statedSizes(sizes: readonly StoredSize[]): readonly StoredSize[] {
  return sizes.map(({ service, data, indexes }) => ({ service, data: rounded(data), indexes: rounded(indexes) }));
}

/** The sizes that a page states. @throws Error when it states none */
export function sizesIn(page: string): Pick<ScaleInputs, 'sizes' | 'sizesFrom'> {
  const { lines } = tableBelow(page, SIZE_TITLE);
  const [first] = lines;
  if (first === undefined) throw new Error('The page states no sizes');
  return {
    sizes: lines.map(([service = '', data, indexes]) => ({
      service,
      data: numberIn(data, `Data of ${service}`),
      indexes: numberIn(indexes, `Indexes of ${service}`),
    })),
    sizesFrom: first[SIZE_COLUMNS.indexOf('From')] ?? '',
  };
}
