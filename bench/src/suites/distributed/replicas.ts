import { topics } from '@parcelway/contracts/topics';
import { until } from '@parcelway/kernel/testing/until';
import { closedLoop } from '../../closed-loop.ts';
import { type DistributedStage, onDistributedStage } from '../../distributed-stage.ts';
import { type Parcel, submissionWriter, weighingOf } from '../../parcels.ts';
import { type Row, rowOf } from '../../report/row.ts';
import { inCycles, type SuiteOptions } from '../../suite.ts';
import { bareConsumer } from './bare-consumer.ts';
import { insertsPerSecond } from './submissions.ts';

const CONCURRENCY = 50;
const SIZES = [1, 2, 3] as const;
const CYCLES = 2;
const ARRIVE_WITHIN_MS = 60_000;

/** What one cycle gives, a second. */
interface Cycle {
  readonly submissions: number;
  readonly inserts: number;
  readonly webhooks: number;
  readonly consumed: number;
}

async function submissions(
  stage: DistributedStage,
  milliseconds: number,
): Promise<{ readonly perSecond: number; readonly parcels: Parcel[] }> {
  const merchant = stage.client(stage.tenantKey, CONCURRENCY);
  const write = submissionWriter(stage.warehouseCode, 1);
  const parcels: Parcel[] = [];
  const { perSecond } = await closedLoop(CONCURRENCY, milliseconds, async () => {
    parcels.push(await merchant.post<Parcel>('/open/v1/forecasts', write()));
  });
  await stage.log.settled();
  return { perSecond, parcels };
}

/** Produces the weighings of all parcels at once. @returns webhooks a second, from then to the last */
async function webhooksPerSecond({ log, receiver, warehouseCode }: DistributedStage, parcels: readonly Parcel[]): Promise<number> {
  const weighings = parcels.map((parcel) => ({ key: parcel.forecast_no, value: weighingOf(warehouseCode, parcel) }));
  const started = performance.now();
  await log.produce(topics.warehouseIntake, weighings);
  const arrived = (): boolean => parcels.every(({ po_number }) => receiver.arrivedAt.has(po_number));
  await until(arrived, { within: ARRIVE_WITHIN_MS, what: 'all webhooks' });
  const last = parcels.reduce((latest, { po_number }) => Math.max(latest, receiver.arrivedAt.get(po_number) as number), 0);
  await log.settled();
  return (parcels.length * 1000) / (last - started);
}

async function measure(options: SuiteOptions, stage: DistributedStage, replicas: number, events: number): Promise<Cycle[]> {
  const { measureMs, quick } = options.scale;
  await stage.log.settled();
  await submissions(stage, measureMs / 2);
  const scale = { ...options.scale, cycles: quick ? 1 : CYCLES };
  return inCycles({ ...options, scale }, `replicas: ${replicas} of each service`, async (index) => {
    const { perSecond, parcels } = await submissions(stage, measureMs);
    const inserts = await insertsPerSecond(1, measureMs / 2, CONCURRENCY);
    const webhooks = await webhooksPerSecond(stage, parcels.slice(0, events));
    const { perSecond: consumed } = await bareConsumer(stage.log, `bench.consume-${index}`, events);
    return { submissions: perSecond, inserts, webhooks, consumed };
  });
}

function rowsOf(sizes: ReadonlyMap<number, readonly Cycle[]>): Row[] {
  const figures = [
    { ours: 'submissions', than: 'inserts', name: 'Submissions of 1 item', reference: 'MongoDB insertOne, majority, 50 at once' },
    { ours: 'webhooks', than: 'consumed', name: 'Weighings on Kafka to webhooks, at once', reference: 'kafkajs eachMessage, insertOne' },
  ] as const;
  return figures.flatMap(({ ours, than, name, reference }) =>
    [...sizes].map(([replicas, cycles]) => {
      const about = { suite: 'replicas', name: `${name}, replicas: ${replicas}`, unit: '/s', reference, better: 'higher' as const };
      return rowOf(
        about,
        cycles.map((cycle) => ({ ours: cycle[ours], reference: cycle[than] })),
      );
    }),
  );
}

/** What one, two and three processes of each service get through, clients spread over the gateways. */
export async function replicas(options: SuiteOptions): Promise<readonly Row[]> {
  const events = options.scale.quick ? 100 : 1000;
  const sizes = new Map<number, readonly Cycle[]>();
  for (const size of SIZES) {
    if (sizes.size > 0 && options.timeIsUp()) {
      options.skip(`replicas: ${size} of each service: no time was left`);
      continue;
    }
    options.progress(`starting ${size} of each service`);
    sizes.set(size, await onDistributedStage(size, (stage) => measure(options, stage, size, events)));
  }
  return rowsOf(sizes);
}
