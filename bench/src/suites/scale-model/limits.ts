import { serviceProcesses } from '../../distributed-stage.ts';
import type { Assumptions } from './assumptions.ts';
import { PEAK_SHARE, replicasFor } from './headroom.ts';
import type { ScaleInputs } from './inputs.ts';
import { coresOf, mongoOperationCost, type Stream, type StreamName, streamsOf } from './load.ts';
import { burstOf, workOf } from './model.ts';
import { countFor, shardNeeds, storedBy } from './servers-needed.ts';
import { trafficOf } from './traffic.ts';

/** Something that cannot be bought by the piece: it holds so much, and then the design has to change. */
export interface Limit {
  readonly what: string;
  readonly unit: string;
  readonly demand: number;
  readonly holds: number;
  /** What to change. */
  readonly change: string;
}

/** A limit under the planned load and under so many times of it. */
export interface Break extends Limit {
  readonly demandScaled: number;
  /** Of the planned load; below 1 the limit is reached before it. */
  readonly breaksAt: number;
}

/** Connections to MongoDB that a process opens at most, and that a member is planned for: a gibibyte for a thousand, an eighth of its memory. */
const POOL = 20;
const CONNECTIONS_A_GIBIBYTE = 1_000;
const CONNECTION_MEMORY_SHARE = 1 / 8;
/** What a shard may spend on operations that ask every shard: half of what is planned for it. */
const BROADCAST_SHARE = 0.5;
/** Shards that one set of config servers and a sweep every few seconds are planned for. */
const MOST_SHARDS = 100;
/** PUT a second below one prefix of S3, as Amazon documents it. */
const PUTS_A_PREFIX = 3_500;
const SECONDS_AN_HOUR = 3_600;
const MEGABYTES_A_GIBIBYTE = 2 ** 30 / 1e6;
const EVENTS: readonly StreamName[] = ['eventInBatch', 'eventOnKafka'];

/** A plan with so many times the load; habits, shares and machines stay as they are. */
export function timesThe(plan: Assumptions, factor: number): Assumptions {
  const { parcelsADay, submissions, warehouseEvents, pushes, webhooks, polls } = plan;
  return {
    ...plan,
    parcelsADay: parcelsADay * factor,
    submissions: submissions * factor,
    warehouseEvents: warehouseEvents * factor,
    pushes: pushes * factor,
    webhooks: webhooks * factor,
    polls: polls * factor,
  };
}

/** Replicas of the service that consumes most, for what it consumes alone, and of all services for all they do. */
function consumersOf(inputs: ScaleInputs, streams: readonly Stream[], plan: Assumptions): { readonly most: number; readonly all: number } {
  const burst = burstOf(plan);
  const counts = serviceProcesses.map((service) => ({
    service,
    count: replicasFor(workOf(service, inputs, streams), burst) ?? Number.POSITIVE_INFINITY,
  }));
  const consuming = serviceProcesses.map((service) => {
    const { cores, idleShare, consumedShare } = workOf(service, inputs, streams);
    return replicasFor({ cores: cores * consumedShare, idleShare }, burst) ?? Number.POSITIVE_INFINITY;
  });
  return { most: Math.max(...consuming), all: counts.reduce((sum, { count }) => sum + count, 0) };
}

/** The tenant with the most parcels has its share of everything on one shard, but for what is divided by warehouses. What is scarcest there decides. */
function largestTenant(inputs: ScaleInputs, streams: readonly Stream[], plan: Assumptions): Limit {
  const sizes = inputs.sizes.filter(({ service }) => service !== 'warehouse-intake');
  const needs = shardNeeds({ ...inputs, sizes }, streams, plan);
  const { resource, unit, demand, each } = needs.reduce((most, one) => (one.demand / one.each > most.demand / most.each ? one : most));
  return {
    what: `The largest tenant, which is on one shard: ${resource.toLowerCase()}`,
    unit: `${unit} of one shard`,
    demand: plan.largestTenantShare * demand,
    holds: each,
    change:
      'A zone with larger machines for it; several tenants for one merchant; at last a collection that keeps each kind of number unique, so that forecasts may have a longer key',
  };
}

/** What one shard has to do, however many there are. */
function shardLimits(inputs: ScaleInputs, streams: readonly Stream[], plan: Assumptions): readonly Limit[] {
  const planned = plan.memberCores * PEAK_SHARE;
  return [
    {
      what: 'Pushes, each of which asks every shard for its tracking number',
      unit: 'cores of one shard',
      demand: (plan.pushes * mongoOperationCost(inputs)) / 1e6,
      holds: planned * BROADCAST_SHARE,
      change: 'A collection of tracking numbers with a hashed key: a push asks one shard for the tenant, and one for the parcel',
    },
    largestTenant(inputs, streams, plan),
    {
      what: 'The largest warehouse, whose events are on one shard',
      unit: 'cores of one shard',
      holds: planned,
      demand:
        plan.largestWarehouseShare *
        coresOf(
          'mongo-1',
          streams.filter(({ name }) => EVENTS.includes(name)),
        ),
      change: 'Several warehouse codes for one building; `event_id` behind `warehouse_code` in the shard key of `events`',
    },
  ];
}

/** What everything of an installation goes through. */
function commonLimits(inputs: ScaleInputs, streams: readonly Stream[], plan: Assumptions, partitions: number): readonly Limit[] {
  const { most, all } = consumersOf(inputs, streams, plan);
  const stored = storedBy(inputs.sizes, plan);
  const megabytes = (stored.data + stored.indexes) * MEGABYTES_A_GIBIBYTE;
  return [
    {
      what: 'Replicas for the events that one service consumes',
      unit: 'replicas',
      demand: most,
      holds: partitions,
      change: 'More partitions (`migrate --partitions`), up to some hundred. Beyond, a topic for each part of the tenants',
    },
    {
      what: 'Parcels of the largest carrier, whose queries one connection makes',
      unit: 'parcels a day',
      demand: plan.parcelsADay * plan.largestCarrierShare,
      holds: plan.parcelsAnAccount,
      change:
        'Connections of the same carriers share the parcels by their number, instead of one being the fallback of the other; until then, connections of tenants',
    },
    {
      what: 'Redis, whose commands have one core',
      unit: 'cores',
      demand: coresOf('redis', streams),
      holds: PEAK_SHARE,
      change: 'Redis Cluster: buckets and keys of different tenants are independent of each other',
    },
    {
      what: 'A backup of the databases by one process',
      unit: 'hours',
      demand: megabytes / plan.backupMegabytesPerSecond / SECONDS_AN_HOUR,
      holds: plan.backupHours,
      change:
        'Snapshots of the disks of all shards at one time, as MongoDB describes; `parcelctl backup` for the log alone. Shorter retention makes both smaller',
    },
    {
      what: 'Objects written below one prefix of the object store, in a burst',
      unit: 'PUT/s',
      demand: trafficOf(streams, plan).puts * plan.burstFactor,
      holds: PUTS_A_PREFIX,
      change:
        'None: names are drawn behind their kind, so the store can divide them. Let the load grow over hours, or ask its operator beforehand',
    },
    {
      what: 'Connections of all processes to one member',
      unit: 'connections',
      demand: all * POOL,
      holds: plan.memberGibibytes * CONNECTION_MEMORY_SHARE * CONNECTIONS_A_GIBIBYTE,
      change: 'Routers, which share their connections to the shards among the processes; a smaller pool for each process',
    },
    {
      what: 'Shards that each relay and each sweep asks',
      unit: 'shards',
      demand: countFor(shardNeeds(inputs, streams, plan)),
      holds: MOST_SHARDS,
      change: 'A cluster for each part of the tenants, with gateways that know which: nothing is shared between tenants but warehouses',
    },
  ];
}

/** The limits that are not a number of machines. @param partitions of each topic that services consume */
export function limitsOf(inputs: ScaleInputs, plan: Assumptions, partitions: number): readonly Limit[] {
  const streams = streamsOf(inputs, plan);
  return [...commonLimits(inputs, streams, plan, partitions), ...shardLimits(inputs, streams, plan)];
}

/**
 * The limits, the one that is reached first in front.
 * @param factor of the load that is asked about
 * @param partitions of each topic that services consume
 */
export function breaksOf(inputs: ScaleInputs, plan: Assumptions, factor: number, partitions: number): readonly Break[] {
  const scaled = limitsOf(inputs, timesThe(plan, factor), partitions);
  return limitsOf(inputs, plan, partitions)
    .map((limit, index) => ({ ...limit, demandScaled: (scaled[index] as Limit).demand, breaksAt: limit.holds / limit.demand }))
    .sort((a, b) => a.breaksAt - b.breaksAt);
}
