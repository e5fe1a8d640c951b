import { PARTITIONS, topics } from '@parcelway/contracts/topics';
import { startScript } from '../../child-server.ts';
import type { DistributedStage } from '../../distributed-stage.ts';
import { type Parcel, submitParcels, weighingOf } from '../../parcels.ts';
import type { Row } from '../../report/row.ts';
import { inCycles, type SuiteOptions } from '../../suite.ts';
import { arrivalTimes, latencyRows } from '../latency.ts';

const CONNECTIONS = 50;
const BARE_TOPIC = 'bench.forward';
let counter = 0;

/** Reports one parcel's weighing. */
type Report = (parcel: Parcel) => Promise<void>;

/** A way from the warehouse to the merchant. */
interface Way {
  readonly name: string;
  readonly perSecond: number;
  readonly report: Report;
}

/** Milliseconds from the moment a weighing is sent or produced to the moment its webhook has arrived. */
async function eventLatencies(stage: DistributedStage, { perSecond, report }: Way, count: number): Promise<number[]> {
  const merchant = stage.client(stage.tenantKey, CONNECTIONS);
  const parcels = await submitParcels(merchant, stage.warehouseCode, count);
  await stage.log.settled();
  const keys = parcels.map((parcel) => parcel.po_number);
  return arrivalTimes(perSecond, keys, stage.receiver.arrivedAt, (index) => report(parcels[index] as Parcel));
}

/** Milliseconds from the moment a message is produced to the moment a bare consumer has forwarded it to the receiver. */
function forwardingTimes({ log, receiver }: DistributedStage, perSecond: number, count: number): Promise<number[]> {
  const keys = Array.from({ length: count }, () => {
    counter += 1;
    return `BARE-${counter}`;
  });
  const last = JSON.parse(receiver.lastBody) as { data: object };
  return arrivalTimes(perSecond, keys, receiver.arrivedAt, (index) => {
    const key = keys[index] as string;
    const value = JSON.stringify({ ...last, data: { ...last.data, po_number: key } });
    return log.produce(BARE_TOPIC, [{ key, value }]);
  });
}

async function measure(options: SuiteOptions, stage: DistributedStage, way: Way): Promise<Row[]> {
  const { name, perSecond } = way;
  const count = Math.round((perSecond * options.scale.measureMs) / 1000);
  const cycles = await inCycles(options, `${name} to webhook at ${perSecond} a second`, async () => ({
    ours: await eventLatencies(stage, way, count),
    reference: await forwardingTimes(stage, perSecond, count),
  }));
  return latencyRows({ suite: 'webhooks', name: `${name} to webhook at ${perSecond}/s`, reference: 'Kafka, consumer, POST' }, cycles);
}

/**
 * How long after a warehouse reports a weighing, over HTTP or straight on Kafka, the merchant hears of it, next to a bare
 * consumer that POSTs what is produced to a topic.
 */
export async function webhooks(options: SuiteOptions, stage: DistributedStage): Promise<readonly Row[]> {
  const { log, receiver, warehouseCode } = stage;
  await log.makeTopic(BARE_TOPIC);
  const forwarder = await startScript('processes/kafka-forwarder.js', [log.nameOf(BARE_TOPIC), receiver.origin, String(PARTITIONS)]);
  try {
    const warehouse = stage.client(stage.warehouseKey, CONNECTIONS);
    const overHttp: Report = (parcel) => warehouse.send('POST', '/warehouse/v1/events', weighingOf(warehouseCode, parcel));
    const onKafka: Report = (parcel) =>
      log.produce(topics.warehouseIntake, [{ key: parcel.forecast_no, value: weighingOf(warehouseCode, parcel) }]);
    await eventLatencies(stage, { name: 'warm-up', perSecond: 50, report: overHttp }, 50);
    await forwardingTimes(stage, 50, 50);
    return [
      ...(await measure(options, stage, { name: 'Weighing over HTTP', perSecond: 200, report: overHttp })),
      ...(await measure(options, stage, { name: 'Weighing on Kafka', perSecond: 50, report: onKafka })),
      ...(await measure(options, stage, { name: 'Weighing on Kafka', perSecond: 200, report: onKafka })),
    ];
  } finally {
    await forwarder.stop();
  }
}
