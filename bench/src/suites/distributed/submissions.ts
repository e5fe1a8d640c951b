import { runScript } from '../../child-server.ts';
import type { DistributedStage } from '../../distributed-stage.ts';
import { type Row, rowOf } from '../../report/row.ts';
import { inCycles, type SuiteOptions } from '../../suite.ts';
import { submissionsName, submitFor } from '../submissions.ts';

const CONCURRENCY = 50;

/** Bare inserts a second into the same MongoDB, `concurrency` at once. */
export async function insertsPerSecond(items: number, milliseconds: number, concurrency: number): Promise<number> {
  const args = [items, milliseconds, concurrency].map(String);
  return (await runScript<{ perSecond: number }>('processes/mongo-insert-loop.js', args)).perSecond;
}

async function measure(options: SuiteOptions, stage: DistributedStage, items: number): Promise<Row[]> {
  const { measureMs } = options.scale;
  const { tenantKey, warehouseCode, log } = stage;
  const merchant = stage.client(tenantKey, CONCURRENCY);
  const submit = async (milliseconds: number): Promise<number> => {
    const { perSecond } = await submitFor(merchant, warehouseCode, items, milliseconds);
    // What the events of these forecasts still cost must not slow down the reference.
    await log.settled();
    return perSecond;
  };
  await submit(measureMs / 2);
  const cycles = await inCycles(options, `submissions of ${items} items`, async () => ({
    ours: await submit(measureMs),
    single: await insertsPerSecond(items, measureMs / 2, 1),
    many: await insertsPerSecond(items, measureMs / 2, CONCURRENCY),
  }));
  const about = { suite: 'submissions', name: submissionsName(items), unit: '/s', better: 'higher' as const };
  return [
    rowOf(
      { ...about, reference: 'MongoDB insertOne loop, majority' },
      cycles.map(({ ours, single }) => ({ ours, reference: single })),
    ),
    rowOf(
      { ...about, reference: `the same, ${CONCURRENCY} at once` },
      cycles.map(({ ours, many }) => ({ ours, reference: many })),
    ),
  ];
}

/** Forecasts accepted a second over HTTPS, next to loops that write the same documents to the same MongoDB and do nothing else. */
export async function submissions(options: SuiteOptions, stage: DistributedStage): Promise<readonly Row[]> {
  return [...(await measure(options, stage, 1)), ...(await measure(options, stage, 100))];
}
