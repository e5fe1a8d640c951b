import type { ScaleModel } from './model.ts';
import { FREE_IOPS, type Prices } from './prices.ts';
import { REDIS_MEMBERS } from './servers-needed.ts';
import { DAYS_A_MONTH } from './traffic.ts';

/** A line of the bill. */
export interface Expense {
  readonly what: string;
  /** Units of the price in a month. */
  readonly units: number;
  readonly price: keyof Prices;
  /** Dollars a month. */
  readonly dollars: number;
}

const HOURS_A_MONTH = 24 * DAYS_A_MONTH;
/** Gigabytes of a gibibyte. */
const GIGABYTES = 2 ** 30 / 1e9;
/** Cores of a member of Redis. */
const REDIS_CORES = 2;

/** What a model costs in a month, line by line. */
export function expensesOf(model: ScaleModel, prices: Prices): readonly Expense[] {
  const { plan, services, shards, brokers, stored, topics, traffic } = model;
  const line = (what: string, units: number, price: keyof Prices): Expense => ({ what, units, price, dollars: units * prices[price].each });
  const replicas = services.reduce((sum, service) => sum + service.replicas, 0);
  const members = shards * plan.membersAShard;
  const diskOfMember = (stored.data + stored.indexes) / shards;
  const messagesADay = topics.reduce((sum, { perDay }) => sum + perDay, 0);
  const logGigabytes = (model.brokerNeeds.find(({ resource }) => resource === 'Disk')?.demand ?? 0) * GIGABYTES;
  // Every message goes to its followers and to some of its consumers in another zone; every write to the other members of its shard.
  const betweenZones = (messagesADay * plan.messageBytes * plan.replication * DAYS_A_MONTH) / 1e9;
  return [
    line('Services, one core a replica', replicas * HOURS_A_MONTH, 'coreHour'),
    line('MongoDB: members of shards', members * plan.memberCores * HOURS_A_MONTH, 'memoryCoreHour'),
    // A disk is planned to be half full, for the oplog, compaction and what comes until it is replaced.
    line('MongoDB: disks', 2 * diskOfMember * members * GIGABYTES, 'diskMonth'),
    line('MongoDB: disk operations', Math.max(0, plan.memberIops - FREE_IOPS) * members, 'iopsMonth'),
    line('Kafka: brokers', brokers * plan.brokerCores * HOURS_A_MONTH, 'coreHour'),
    line('Kafka: disks', 2 * logGigabytes, 'diskMonth'),
    line('Redis', REDIS_MEMBERS * REDIS_CORES * HOURS_A_MONTH, 'coreHour'),
    line('Object store: objects', traffic.objects, 'objectMonth'),
    line('Object store: writes', traffic.putsAMonth / 1000, 'objectPut'),
    line('Object store: reads', traffic.getsAMonth / 1000, 'objectGet'),
    line('Network: to the internet', traffic.outAMonth, 'outgoing'),
    line('Network: log between zones', betweenZones, 'betweenZones'),
  ];
}

/** Sum of a bill, dollars a month. */
export function totalOf(expenses: readonly Expense[]): number {
  return expenses.reduce((sum, { dollars }) => sum + dollars, 0);
}
