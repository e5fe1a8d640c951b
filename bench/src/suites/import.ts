import type { IssuedKey } from '@parcelway/contracts/admin-api';
import type { ForecastImport } from '@parcelway/contracts/import-api';
import { until } from '@parcelway/kernel/testing/until';
import { submissionWriter, submitFor } from '../parcels.ts';
import { exactCpuMicrosecondsOf, residentMegabytesOf } from '../process-usage.ts';
import type { RawClient } from '../raw-client.ts';
import { type Row, rowOf } from '../report.ts';
import { onStage, type Stage } from '../stage.ts';
import { percentile } from '../statistics.ts';
import { pause, type Suite } from '../suite.ts';

const PATH = '/open/v1/forecasts/import';
const CONCURRENCY = 50;
const LOOK_EVERY_MS = 250;
const WITHIN_MS = 300_000;
/** Two imports of the same size: memory that grows with the rows would grow in the second one, too. */
const PREFIXES = ['FIRST', 'SECOND'];
/** Pause of the other tenant between two submissions. */
const OTHER_PAUSE_MS = 20;

/** What an import cost. */
interface Imported {
  readonly perSecond: number;
  /** Of a thousand rows, with all that follows from them while the import runs. */
  readonly cpuSeconds: number;
  /** Highest memory use seen during the import, MiB. */
  readonly peak: number;
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
async function importOnce(
  { platform, warehouseCode, tenantKey }: Stage,
  merchant: RawClient,
  prefix: string,
  rows: number,
): Promise<Imported> {
  const content = spreadsheet(prefix, warehouseCode, rows);
  let peak = 0;
  const begunAt = performance.now();
  const cpuBefore = exactCpuMicrosecondsOf(platform.pid);
  const { data } = await platform.client(tenantKey).upload<ForecastImport>(PATH, 'forecasts.csv', content, 'text/csv');
  const look = async (): Promise<ForecastImport | undefined> => {
    const now = await merchant.get<ForecastImport>(`${PATH}/${data.import_id}`);
    peak = Math.max(peak, residentMegabytesOf(platform.pid));
    return now.state === 'running' ? undefined : now;
  };
  const result = await until(look, { within: WITHIN_MS, everyMs: LOOK_EVERY_MS, what: 'the import to end' });
  if (result.accepted !== rows) throw new Error(`${result.accepted} of ${rows} rows were accepted: ${JSON.stringify(result)}`);
  const perSecond = (rows * 1000) / (performance.now() - begunAt);
  return { perSecond, cpuSeconds: (exactCpuMicrosecondsOf(platform.pid) - cpuBefore) / 1000 / rows, peak };
}

/** Two imports of a spreadsheet next to plain submissions of the same process: rows a second, CPU time, memory, and what another tenant notices. */
export const importSuite: Suite = async (options) => {
  const { measureMs, quick } = options.scale;
  const rows = quick ? 3000 : 50_000;
  return onStage(async (stage) => {
    const { platform, warehouseCode } = stage;
    const merchant = stage.client(stage.tenantKey, CONCURRENCY);
    const other = await otherTenant(stage);
    options.progress('submissions without an import');
    await submitFor(merchant, warehouseCode, measureMs / 2);
    const cpuBefore = exactCpuMicrosecondsOf(platform.pid);
    const { done, perSecond: reference } = await submitFor(merchant, warehouseCode, 2 * measureMs);
    const cpuReference = (exactCpuMicrosecondsOf(platform.pid) - cpuBefore) / 1000 / done;
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
        { ours: second.peak, reference: first.peak },
      ]),
      row({ name: `${name}, a submission of another tenant meanwhile, p95`, unit: 'ms', reference: 'without an import', better: 'lower' }, [
        { ours: percentile(times, 95), reference: percentile(timesAlone, 95) },
      ]),
    ];
  });
};
