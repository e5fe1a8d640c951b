import { PARTITIONS } from '@parcelway/contracts/topics';
import { runScript } from '../../child-server.ts';
import type { KafkaLog } from '../kafka-log.ts';

/** What processing a backlog took. */
interface BareProcessing {
  readonly perSecond: number;
  /** Of one event. */
  readonly cpuMicroseconds: number;
}

/** What a bare consumer makes of as many messages as large. */
export async function bareConsumer(log: KafkaLog, topic: string, count: number): Promise<BareProcessing> {
  await log.makeTopic(topic);
  const value = JSON.stringify({ event: 'e'.repeat(600) });
  await log.produce(
    topic,
    Array.from({ length: count }, (_, index) => ({ key: `key-${index}`, value })),
  );
  return runScript<BareProcessing>('processes/kafka-consume-loop.js', [log.nameOf(topic), String(count), String(PARTITIONS)]);
}
