import { topics } from '@parcelway/contracts/topics';
import { until } from '@parcelway/kernel/testing/until';
import type { DistributedStage } from '../../distributed-stage.ts';
import { submissionWriter } from '../../parcels.ts';
import type { Row } from '../../report/row.ts';
import type { BenchServers } from '../../servers.ts';
import { inCycles, type SuiteOptions } from '../../suite.ts';
import { latencyRows, responseTimes } from '../latency.ts';

const CONNECTIONS = 50;
const PER_SECOND = 100;
const BROKER = 'kafka-1';
/** The services publish what has gathered once their next try finds the broker, which is after 5 s at the latest. */
const PUBLISHED_WITHIN_MS = 60_000;

/** How long a submission takes while Kafka is away, next to the same while it is there. */
export async function outage(options: SuiteOptions, stage: DistributedStage, servers: BenchServers): Promise<readonly Row[]> {
  if (!servers.own) {
    options.skip('submissions without Kafka: only a broker that was started here is stopped');
    return [];
  }
  const { log } = stage;
  const merchant = stage.client(stage.tenantKey, CONNECTIONS);
  const write = submissionWriter(stage.warehouseCode, 1);
  const count = Math.round((PER_SECOND * 2 * options.scale.measureMs) / 1000);
  const post = (): Promise<number[]> => responseTimes(PER_SECOND, count, () => merchant.send('POST', '/open/v1/forecasts', write()));
  await log.settled();
  const cycles = await inCycles(options, 'submissions with and without Kafka', async () => {
    const published = await log.appended(topics.forecast);
    const reference = await post();
    await servers.usedMicroseconds();
    await servers.act('stop', BROKER);
    let ours: number[];
    try {
      ours = await post();
    } finally {
      await servers.act('start', BROKER);
    }
    // The client of the benchmark has lost its connections too: whatever it is asked first may fail.
    const all = async (): Promise<boolean> => (await log.appended(topics.forecast)) >= published + 2 * count;
    await until(all, { within: PUBLISHED_WITHIN_MS, what: 'the events of the outage', everyMs: 200 });
    await log.settled();
    return { ours, reference };
  });
  const about = { suite: 'outage', name: `Submission at ${PER_SECOND}/s, Kafka stopped`, reference: 'the same, Kafka up' };
  return latencyRows(about, cycles);
}
