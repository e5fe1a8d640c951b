import type { IssuedKey } from '@parcelway/contracts/admin-api';
import type { ForecastImport } from '@parcelway/contracts/import-api';
import { submissionWriter, submitFor } from '../parcels.ts';
import { exactCpuMicrosecondsOf, residentMegabytesOf } from '../process-usage.ts';
import type { RawClient } from '../raw-client.ts';
import { type Row, rowOf } from '../report/row.ts';
import { onStage, type Stage } from '../stage.ts';
import { percentile } from '../statistics.ts';
import { pause, type Suite, type SuiteOptions } from '../suite.ts';
import { multipart } from './growth/multipart.ts';

const PATH = '/open/v1/forecasts/import';
const CONCURRENCY = 50;
const LOOK_EVERY_MS = 250;
const WITHIN_MS = 300_000;
/** Parts of the rows at which the memory is shown. */
const SHARES = [0.2, 0.4, 0.6, 0.8, 1];
/** Two imports of the same size: memory that grows with the rows would grow in the second one, too. */
const PREFIXES = ['FIRST', 'SECOND'];
/** Pause of the other tenant between two submissions. */
const OTHER_PAUSE_MS = 20;

/** Memory at a moment. */
interface Point {
  readonly seconds: number;
  readonly done: number;
  readonly megabytes: number;
}

/** What an import cost. */
interface Imported {
  readonly perSecond: number;
  /** Of a thousand rows, with all that follows from them while the import runs. */
  readonly cpuSeconds: number;
  /** At the looks during the import. */
  readonly points: readonly Point[];
}

/** Ends what runs. @returns the times of its calls, milliseconds */
type Stop = () => Promise<readonly number[]>;

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

/** CPU time that the platform takes for a thousand times what `work` does `done` times; seconds. */
async function cpuSecondsOf(pid: number, work: () => Promise<{ readonly done: number }>): Promise<number> {
  const before = exactCpuMicrosecondsOf(pid);
  const { done } = await work();
  return (exactCpuMicrosecondsOf(pid) - before) / 1000 / done;
}

/** A client of another tenant. */
async function otherTenant(stage: Stage): Promise<RawClient> {
  const admin = stage.platform.admin();
  const { id } = await admin.expectOk<{ id: string }>('/admin/v1/tenants', { body: { name: 'Submits meanwhile' } });
  const { key } = await admin.expectOk<IssuedKey>('/admin/v1/keys', { body: { tenant_id: id, rate_limit: 'off' } });
  return stage.client(key, 1);
}

/** Submits forecasts one after the other, with pauses, until it is stopped. */
function submitMeanwhile(other: RawClient, warehouseCode: string): Stop {
  const write = submissionWriter(warehouseCode);
  const times: number[] = [];
  let isOver = false;
  const running = (async () => {
    while (!isOver) {
      const begunAt = performance.now();
      await other.send('POST', '/open/v1/forecasts', write());
      times.push(performance.now() - begunAt);
      await pause(OTHER_PAUSE_MS);
    }
  })();
  return async () => {
    isOver = true;
    await running;
    return times;
  };
}

/** Imports a file, from the upload to the last result. */
async function importOnce({ platform, warehouseCode }: Stage, merchant: RawClient, prefix: string, rows: number): Promise<Imported> {
  const content = spreadsheet(prefix, warehouseCode, rows);
  const points: Point[] = [];
  const begunAt = performance.now();
  const cpuBefore = exactCpuMicrosecondsOf(platform.pid);
  const seconds = (): number => (performance.now() - begunAt) / 1000;
  const importId = await begin(merchant, content);
  const result = await until(merchant, importId, hasFinished, ({ accepted, failed }) => {
    points.push({ seconds: seconds(), done: accepted + failed, megabytes: residentMegabytesOf(platform.pid) });
  });
  if (result.accepted !== rows) throw new Error(`${result.accepted} of ${rows} rows were accepted: ${JSON.stringify(result)}`);
  return { perSecond: rows / seconds(), cpuSeconds: (exactCpuMicrosecondsOf(platform.pid) - cpuBefore) / 1000 / rows, points };
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

function memoryTable(imported: readonly Imported[], rows: number): Parameters<SuiteOptions['table']>[0] {
  return {
    title: 'Memory of the whole platform during two imports',
    columns: ['Import', 'Rows done', 'Seconds', 'MiB'].map((name) => ({ name, numeric: true })),
    lines: imported.flatMap(({ points }, index) =>
      SHARES.flatMap((share) => {
        const point = points.find(({ done }) => done >= share * rows);
        return point === undefined ? [] : [[index + 1, point.done, point.seconds, point.megabytes]];
      }),
    ),
  };
}

const peakOf = ({ points }: Imported): number => Math.max(...points.map(({ megabytes }) => megabytes));

/** Two imports of a spreadsheet next to plain submissions of the same process: rows a second, CPU time, memory, what another tenant notices; and what a kill leaves. */
export const importSuite: Suite = async (options) => {
  const { measureMs, quick } = options.scale;
  const rows = quick ? 3000 : 50_000;
  return onStage(async (stage) => {
    const { platform, warehouseCode } = stage;
    const merchant = stage.client(stage.tenantKey, CONCURRENCY);
    const other = await otherTenant(stage);
    options.progress('submissions without an import');
    await submitFor(merchant, warehouseCode, measureMs / 2);
    let reference = 0;
    const cpuReference = await cpuSecondsOf(platform.pid, async () => {
      const result = await submitFor(merchant, warehouseCode, 2 * measureMs);
      reference = result.perSecond;
      return result;
    });
    const alone = submitMeanwhile(other, warehouseCode);
    await pause(measureMs);
    const timesAlone = await alone();
    const imported: Imported[] = [];
    const meanwhile = submitMeanwhile(other, warehouseCode);
    for (const prefix of PREFIXES) {
      options.progress(`the ${prefix.toLowerCase()} import of ${rows} rows`);
      imported.push(await importOnce(stage, merchant, prefix, rows));
    }
    const times = await meanwhile();
    options.table(memoryTable(imported, rows));
    options.progress('an import whose process is killed');
    await killed(options, stage, merchant, rows);
    const [first, second] = imported as [Imported, Imported];
    const name = `Import of ${rows.toLocaleString('en-US')} rows`;
    const row = (about: Omit<Parameters<typeof rowOf>[0], 'suite'>, samples: Parameters<typeof rowOf>[1]): Row =>
      rowOf({ suite: 'import', ...about }, samples);
    return [
      row(
        { name, unit: 'rows/s', reference: 'submissions over HTTPS', better: 'higher' },
        imported.map(({ perSecond }) => ({ ours: perSecond, reference })),
      ),
      row(
        { name: `${name}, CPU time of 1,000`, unit: 's', reference: '1,000 submissions over HTTPS', better: 'lower' },
        imported.map(({ cpuSeconds }) => ({ ours: cpuSeconds, reference: cpuReference })),
      ),
      row({ name: `${name}, peak memory of a second one`, unit: 'MiB', reference: 'the first one', better: 'lower' }, [
        { ours: peakOf(second), reference: peakOf(first) },
      ]),
      row({ name: `${name}, a submission of another tenant meanwhile, p95`, unit: 'ms', reference: 'without an import', better: 'lower' }, [
        { ours: percentile(times, 95), reference: percentile(timesAlone, 95) },
      ]),
    ];
  });
};
