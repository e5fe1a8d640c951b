import { BATCH } from '../../capacity/works.ts';
import type { Assumptions } from './assumptions.ts';
import type { Stream, StreamName } from './load.ts';

/** Messages on a topic. */
export interface TopicLoad {
  readonly topic: string;
  readonly perSecond: number;
  readonly perDay: number;
  /** Services that consume it. */
  readonly consumers: readonly string[];
}

/** What each stream appends to each topic, for one of it; see docs/architecture.md, "Events and topics". */
const appended: Readonly<Record<string, { readonly of: Partial<Record<StreamName, number>>; readonly consumers: readonly string[] }>> = {
  // Accepted and completed once; each warehouse event that is applied becomes an event of the parcel.
  'forecast.events.v1': {
    of: { submission: 2, eventInBatch: 1, eventOnKafka: 1 },
    consumers: ['file', 'warehouse-intake', 'tracking', 'webhook'],
  },
  'file.events.v1': { of: { submission: 1 }, consumers: ['forecast', 'warehouse-intake'] },
  'warehouse.intake.v1': { of: { eventOnKafka: 1 }, consumers: ['warehouse-intake'] },
  'warehouse.events.v1': { of: { eventInBatch: 1, eventOnKafka: 1 }, consumers: ['forecast', 'file'] },
  'warehouse.expected.v1': { of: { submission: 2, eventInBatch: 1, eventOnKafka: 1 }, consumers: [] },
  'tracking.events.v1': { of: { pushChanged: 1 }, consumers: ['forecast', 'webhook'] },
};

/** The topics that the load fills. `gateway.events.v1` has some messages a day. */
export function topicLoads(streams: readonly Stream[]): readonly TopicLoad[] {
  return Object.entries(appended).map(([topic, { of, consumers }]) => {
    const sum = (rate: 'perSecond' | 'perDay'): number =>
      streams.reduce((total, stream) => total + stream[rate] * (of[stream.name] ?? 0), 0);
    return { topic, perSecond: sum('perSecond'), perDay: sum('perDay'), consumers };
  });
}

/** What passes the network and reaches the object store. */
export interface Traffic {
  /** Bits a second in the peak hour, both directions. */
  readonly publicIn: number;
  readonly publicOut: number;
  /** Gigabytes that leave to the internet in a month. */
  readonly outAMonth: number;
  /** Objects written and read: a second in the peak hour, and in a month. */
  readonly puts: number;
  readonly gets: number;
  readonly putsAMonth: number;
  readonly getsAMonth: number;
  /** Gigabytes of objects that are kept. */
  readonly objects: number;
}

export const DAYS_A_MONTH = 365 / 12;
const MEGABYTE = 1e6;

/** Traffic of the load. */
export function trafficOf(streams: readonly Stream[], plan: Assumptions): Traffic {
  const of = (name: StreamName, rate: 'perSecond' | 'perDay'): number => streams.find((stream) => stream.name === name)?.[rate] ?? 0;
  const file = plan.fileMegabytes * MEGABYTE;
  const callsIn = (rate: 'perSecond' | 'perDay'): number =>
    of('submission', rate) +
    of('eventInBatch', rate) / BATCH +
    of('pushChanged', rate) +
    of('pushSame', rate) +
    of('query', rate) +
    of('trackingQuery', rate);
  const webhooks = (rate: 'perSecond' | 'perDay'): number => of('eventInBatch', rate) + of('eventOnKafka', rate) + of('pushChanged', rate);
  const bytesIn = (rate: 'perSecond' | 'perDay'): number =>
    of('upload', rate) * file + callsIn(rate) * plan.callBytes + of('eventInBatch', rate) * plan.callBytes;
  const bytesOut = (rate: 'perSecond' | 'perDay'): number =>
    of('download', rate) * file + (callsIn(rate) + webhooks(rate)) * plan.callBytes;
  const puts = (rate: 'perSecond' | 'perDay'): number => of('upload', rate) + of('submission', rate) * plan.furtherObjectsAParcel;
  return {
    publicIn: 8 * bytesIn('perSecond'),
    publicOut: 8 * bytesOut('perSecond'),
    outAMonth: (bytesOut('perDay') * DAYS_A_MONTH) / 1e9,
    puts: puts('perSecond'),
    gets: of('download', 'perSecond'),
    putsAMonth: puts('perDay') * DAYS_A_MONTH,
    getsAMonth: of('download', 'perDay') * DAYS_A_MONTH,
    objects: (plan.parcelsADay * plan.keptDays * (plan.filesAParcel * plan.fileMegabytes + plan.documentsMegabytes)) / 1000,
  };
}
