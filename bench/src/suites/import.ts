import type { ForecastImport } from '@parcelway/contracts/import-api';
import { residentMegabytesOf } from '../process-usage.ts';
import type { RawClient } from '../raw-client.ts';
import { type Row, rowOf } from '../report/row.ts';
import { onStage, type Stage } from '../stage.ts';
import { pause, type Suite, type SuiteOptions } from '../suite.ts';
import { multipart } from './growth/multipart.ts';
import { submitFor } from './submissions.ts';

const PATH = '/open/v1/forecasts/import';
const CONCURRENCY = 50;
const LOOK_EVERY_MS = 250;
const WITHIN_MS = 300_000;
/** At most so many points of the memory over time are shown. */
const SHOWN_POINTS = 12;

/** Memory at a moment. */
interface Point {
  readonly seconds: number;
  readonly done: number;
  readonly megabytes: number;
}

/** A spreadsheet of forecasts with one row each and 15 columns. */
function spreadsheet(prefix: string, warehouseCode: string, rows: number): Buffer {
  const titles = 'PO,Type,Warehouse,Due date,Cartons,SKU,Barcode,Product name,Chinese name,Quantity,Price,HS code,Weight,Length,Remark';
  const line = (index: number): string =>
    `${prefix}-${index},1,${warehouseCode},2027-01-31,1,SKU-${index},4006381333931,Desk lamp,台灯,3,12.5,9405219000,1.2,40,none`;
  return Buffer.from([titles, ...Array.from({ length: rows }, (_, index) => line(index))].join('\n'));
}

async function begin(merchant: RawClient, content: Buffer): Promise<string> {
  const { type, body } = multipart('forecasts.csv', 'text/csv', content);
  return (await merchant.post<ForecastImport>(PATH, body, type)).import_id;
}

/** Looks at an import until something holds of it. @throws Error when it does not within five minutes */
async function until(
  merchant: RawClient,
  importId: string,
  holds: (now: ForecastImport) => boolean,
  look: (now: ForecastImport) => void = () => undefined,
): Promise<ForecastImport> {
  for (const end = performance.now() + WITHIN_MS; performance.now() < end; await pause(LOOK_EVERY_MS)) {
    const now = await merchant.get<ForecastImport>(`${PATH}/${importId}`);
    look(now);
    if (holds(now)) return now;
  }
  throw new Error(`The import ${importId} took too long`);
}

const hasFinished = ({ state }: ForecastImport): boolean => state !== 'running';

/** Imports a file. @returns rows a second from the upload to the last result, and the memory meanwhile */
async function importOnce(
  { platform, warehouseCode }: Stage,
  merchant: RawClient,
  rows: number,
): Promise<{ readonly perSecond: number; readonly points: readonly Point[] }> {
  const content = spreadsheet('SPEED', warehouseCode, rows);
  const points: Point[] = [];
  const begunAt = performance.now();
  const seconds = (): number => (performance.now() - begunAt) / 1000;
  const importId = await begin(merchant, content);
  const result = await until(merchant, importId, hasFinished, ({ accepted, failed }) => {
    points.push({ seconds: seconds(), done: accepted + failed, megabytes: residentMegabytesOf(platform.pid) });
  });
  if (result.accepted !== rows) throw new Error(`${result.accepted} of ${rows} rows were accepted: ${JSON.stringify(result)}`);
  return { perSecond: rows / seconds(), points };
}

/** How many forecasts there are whose po_number begins so. */
async function countForecasts(merchant: RawClient, prefix: string): Promise<{ readonly forecasts: number; readonly different: number }> {
  const found: string[] = [];
  for (let query = '?limit=100'; ; ) {
    const page = await merchant.get<{ forecasts: { po_number: string }[]; next_cursor: string | null }>(`/open/v1/forecasts${query}`);
    found.push(...page.forecasts.map(({ po_number }) => po_number).filter((poNumber) => poNumber.startsWith(prefix)));
    if (page.next_cursor === null) return { forecasts: found.length, different: new Set(found).size };
    query = `?limit=100&cursor=${encodeURIComponent(page.next_cursor)}`;
  }
}

/** Kills the platform in the middle of an import, and counts what there is once it has gone on. */
async function killed(options: SuiteOptions, stage: Stage, merchant: RawClient, rows: number): Promise<void> {
  const importId = await begin(merchant, spreadsheet('KILL', stage.warehouseCode, rows));
  const before = await until(merchant, importId, ({ accepted }) => accepted > rows / 3);
  await stage.platform.kill();
  await stage.platform.start();
  const again = stage.client(stage.tenantKey, CONCURRENCY);
  const after = await until(again, importId, hasFinished);
  const { forecasts, different } = await countForecasts(again, 'KILL-');
  options.table({
    title: 'An import whose process was killed',
    columns: ['Rows', 'Accepted when it was killed', 'Accepted in the end', 'Forecasts', 'Different po_numbers'].map((name) => ({
      name,
      numeric: true,
    })),
    lines: [[rows, before.accepted, after.accepted, forecasts, different]],
  });
  if (after.accepted !== rows || forecasts !== rows || different !== rows) throw new Error('The import lost or doubled forecasts');
}

function memoryTable(points: readonly Point[]): Parameters<SuiteOptions['table']>[0] {
  const step = Math.max(1, Math.ceil(points.length / SHOWN_POINTS));
  const shown = points.filter((_, index) => index % step === 0 || index === points.length - 1);
  return {
    title: 'Memory of the whole platform during an import',
    columns: ['Seconds', 'Rows done', 'MiB'].map((name) => ({ name, numeric: true })),
    lines: shown.map(({ seconds, done, megabytes }) => [seconds, done, megabytes]),
  };
}

/** Rows of a spreadsheet imported a second, next to plain submissions of the same process; the memory over time; and what a kill leaves. */
export const importSuite: Suite = async (options) => {
  const { measureMs, quick } = options.scale;
  const rows = quick ? 3000 : 50_000;
  return onStage(async (stage) => {
    const merchant = stage.client(stage.tenantKey, CONCURRENCY);
    options.progress('submissions without an import');
    await submitFor(merchant, stage.warehouseCode, 1, measureMs / 2);
    const reference = (await submitFor(merchant, stage.warehouseCode, 1, 2 * measureMs)).perSecond;
    const restingMegabytes = residentMegabytesOf(stage.platform.pid);
    options.progress(`an import of ${rows} rows`);
    const { perSecond, points } = await importOnce(stage, merchant, rows);
    const peak = Math.max(...points.map(({ megabytes }) => megabytes));
    options.table(memoryTable(points));
    options.progress('an import whose process is killed');
    await killed(options, stage, merchant, rows);
    const about = { suite: 'import', better: 'higher' } as const;
    const name = `Import of ${rows.toLocaleString('en-US')} rows`;
    const rates: Row = rowOf({ ...about, name, unit: 'rows/s', reference: 'submissions over HTTPS' }, [{ ours: perSecond, reference }]);
    const memory = { name: `${name}, peak memory`, unit: 'MiB', reference: 'the same process before', better: 'lower' } as const;
    return [rates, rowOf({ suite: 'import', ...memory }, [{ ours: peak, reference: restingMegabytes }])];
  });
};
