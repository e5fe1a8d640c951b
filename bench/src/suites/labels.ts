import { runScript } from '../child-server.ts';
import { steadily } from '../closed-loop.ts';
import { oneAtATime, type Times, timesOf } from '../labels/label-times.ts';
import { ITEMS, type LabelMode, onLabelledStages } from '../labels/labelled-stage.ts';
import { measureLabels } from '../labels/measure-labels.ts';
import { submissionWriter } from '../parcels.ts';
import { type Row, rowOf } from '../report/row.ts';
import { onStage } from '../stage.ts';
import { percentile } from '../statistics.ts';
import { inCycles, type Suite, type SuiteOptions } from '../suite.ts';

/** The most that a forecast may have. */
const MANY_ITEMS = 2_000;
/** Submissions of one cycle, one at a time: the platform has nothing else to do. */
const SUBMISSIONS = 20;
/** Submissions a second that come whether or not the documents of the ones before are there. */
const PER_SECOND = 20;

const rendering = (kind: 'documents' | 'page', count: number) =>
  runScript<{ milliseconds: number }>('processes/render-labels.js', [kind, String(count), String(ITEMS)]);

/** Forecasts of which one processor makes the documents in a second, next to PDFs of one page. */
async function perCore(options: SuiteOptions): Promise<Row> {
  const count = options.scale.quick ? 50 : 300;
  const samples = await inCycles(options, 'documents, CPU', async () => ({
    ours: 1000 / (await rendering('documents', count)).milliseconds,
    reference: 1000 / (await rendering('page', count)).milliseconds,
  }));
  const name = `Label and packing slip of ${ITEMS} items, by one processor`;
  return rowOf({ suite: 'labels', name, unit: '/s', reference: 'pdf-lib, one line on a page', better: 'higher' }, samples);
}

/** The most memory of a process that renders the documents of two of the largest forecasts side by side, next to two small ones. */
async function memory(options: SuiteOptions): Promise<Row> {
  const peak = async (items: number): Promise<number> =>
    (await runScript<{ megabytes: number }>('processes/render-beside.js', [String(items)])).megabytes;
  const samples = await inCycles(options, 'documents, memory', async () => ({
    ours: await peak(MANY_ITEMS),
    reference: await peak(ITEMS),
  }));
  const about = { suite: 'labels', unit: 'MiB', better: 'lower' as const };
  const name = `Documents of ${MANY_ITEMS.toLocaleString('en-US')} items, twice at once, peak memory`;
  return rowOf({ ...about, name, reference: `the same of ${ITEMS} items` }, samples);
}

async function atRate(submit: () => Promise<Times>, milliseconds: number): Promise<Times[]> {
  const times: Times[] = [];
  await steadily(PER_SECOND, Math.ceil((PER_SECOND * milliseconds) / 1000), async () => void times.push(await submit()));
  return times;
}

function rowOfTimes(name: string, percent: number, cycles: readonly (readonly Times[])[]): Row {
  const of = (times: readonly Times[], field: keyof Times): number =>
    percentile(
      times.map((each) => each[field]),
      percent,
    );
  const about = {
    suite: 'labels',
    name: `${name}, p${percent}`,
    unit: 'ms',
    reference: 'submission to its response',
    better: 'lower' as const,
  };
  return rowOf(
    about,
    cycles.map((times) => ({ ours: of(times, 'labelled'), reference: of(times, 'responded') })),
  );
}

/** Time from a submission to the moment at which the merchant's forecast shows its label: in an idle platform, and at a steady rate. */
function delays(options: SuiteOptions): Promise<Row[]> {
  return onStage(async ({ client, tenantKey, warehouseCode }) => {
    const merchant = client(tenantKey, PER_SECOND);
    const write = submissionWriter(warehouseCode, ITEMS);
    const submit = (): Promise<Times> => timesOf(merchant, write());
    // The first starts the thread and reads the font.
    await submit();
    const idle = await inCycles(options, 'submission to label', () => oneAtATime(SUBMISSIONS, submit));
    const busy = await inCycles(options, `submission to label at ${PER_SECOND} a second`, () => atRate(submit, options.scale.measureMs));
    const rated = `Submission to product label at ${PER_SECOND}/s`;
    return [rowOfTimes('Submission to product label, idle', 95, idle), rowOfTimes(rated, 50, busy), rowOfTimes(rated, 95, busy)];
  });
}

/** What product labels and packing slips cost, and how soon they are there, with few and with many stored forecasts: neither must grow with them. */
export const labelsIn =
  (mode: LabelMode): Suite =>
  async (options) => [
    // A rendering costs the same in both modes, and what an empty store takes is part of what follows.
    ...(mode === 'embedded' ? [await perCore(options), await memory(options), ...(await delays(options))] : []),
    ...(await onLabelledStages(options, mode, (stages) => measureLabels(options, stages))),
  ];
