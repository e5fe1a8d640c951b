import type { Assumptions } from './assumptions.ts';
import { LEAST_REPLICAS, PEAK_SHARE } from './headroom.ts';
import type { ScaleInputs, StoredSize } from './inputs.ts';
import { coresOf, type Stream } from './load.ts';

/** What one resource of a kind of server demands. */
export interface Need {
  readonly resource: string;
  readonly unit: string;
  /** Of all of them together, and what one of them has for it. */
  readonly demand: number;
  readonly each: number;
  /** How many the resource alone asks for. */
  readonly count: number;
}

const need = (resource: string, unit: string, demand: number, each: number): Need => ({
  resource,
  unit,
  demand,
  each,
  count: Math.max(1, Math.ceil(demand / each)),
});

/** How many of a kind of server all its needs ask for. */
export function countFor(needs: readonly Need[], least = 1): number {
  return Math.max(least, ...needs.map(({ count }) => count));
}

/** Days that what a service stores is kept, by default or by the plan; what ends with the forecast is kept no longer. */
export function keptDaysOf(service: string, { keptDays }: Pick<Assumptions, 'keptDays'>): number {
  // INTAKE_RETENTION_DAYS, WEBHOOK_RETENTION_DAYS of the events, and the hours of idempotency keys, which the gateway alone keeps.
  const own: Readonly<Record<string, number>> = { gateway: 1, 'warehouse-intake': 90, webhook: 45 };
  return Math.min(keptDays, own[service] ?? keptDays);
}

/** What is on the disks of one copy of the data. */
export interface Stored {
  /** GiB. */
  readonly data: number;
  readonly indexes: number;
  /** GiB that are read or written every day. */
  readonly hot: number;
}

/** What the sizes of a million parcels come to with the parcels of a day, kept for their days. */
export function storedBy(sizes: readonly StoredSize[], plan: Assumptions): Stored {
  const millionsADay = plan.parcelsADay / 1e6;
  const sum = (of: (size: StoredSize, days: number) => number): number =>
    sizes.reduce((total, size) => total + millionsADay * of(size, keptDaysOf(size.service, plan)), 0);
  return {
    data: sum(({ data }, days) => data * days),
    indexes: sum(({ indexes }, days) => indexes * days),
    hot: sum(({ data, indexes }, days) => data * Math.min(days, plan.hotDays) + indexes * days * plan.hotIndexShare),
  };
}

const rateOf = (streams: readonly Stream[], of: (stream: Stream) => number): number =>
  streams.reduce((sum, stream) => sum + stream.perSecond * of(stream), 0);

/** What shards are needed for: each resource of a burst, or of all that is kept. The primary of a shard does its work; the other members repeat it. */
export function shardNeeds(inputs: ScaleInputs, streams: readonly Stream[], plan: Assumptions): readonly Need[] {
  const { data, indexes, hot } = storedBy(inputs.sizes, plan);
  const pages = rateOf(streams, ({ reads, writes }) => reads * plan.coldReadShare + writes * plan.pagesAWrite);
  const cores = coresOf('mongo-1', streams);
  return [
    need('CPU, peak hour', 'cores', cores, plan.memberCores * PEAK_SHARE),
    need('CPU, burst', 'cores', cores * plan.burstFactor, plan.memberCores),
    need('Disk', 'GiB', data + indexes, plan.memberDiskGibibytes),
    need('Disk operations, burst', '/s', pages * plan.burstFactor, plan.memberIops),
    need('Working set', 'GiB', hot, plan.memberGibibytes * plan.cacheShare),
  ];
}

/** What brokers are needed for, with every copy of a message. */
export function brokerNeeds(streams: readonly Stream[], messagesADay: number, topicDays: number, plan: Assumptions): readonly Need[] {
  const cores = coresOf('kafka-1', streams) * (1 + plan.followerShare * (plan.replication - 1));
  const gibibytes = (messagesADay * topicDays * plan.messageBytes * plan.replication) / 2 ** 30;
  return [
    need('CPU, peak hour', 'cores', cores, plan.brokerCores * PEAK_SHARE),
    need('CPU, burst', 'cores', cores * plan.burstFactor, plan.brokerCores),
    need('Disk', 'GiB', gibibytes, plan.brokerDiskGibibytes),
  ];
}

/** What Redis is needed for. Its commands have one core, on one primary. */
export function redisNeeds(streams: readonly Stream[], plan: Assumptions): readonly Need[] {
  const cores = coresOf('redis', streams);
  return [need('CPU, peak hour', 'cores', cores, PEAK_SHARE), need('CPU, burst', 'cores', cores * plan.burstFactor, 1)];
}

/** A primary and one that takes over. */
export const REDIS_MEMBERS = LEAST_REPLICAS;
