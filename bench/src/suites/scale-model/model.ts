import { TOPIC_RETENTION_DAYS } from '@parcelway/contracts/topics';
import { serviceProcesses } from '../../distributed-stage.ts';
import type { Assumptions } from './assumptions.ts';
import { type Burst, type BurstOutcome, passBurst, type Work } from './headroom.ts';
import type { ScaleInputs } from './inputs.ts';
import { coresOf, type Stream, streamsOf } from './load.ts';
import { bestDivision, type ConsumerWork, imbalanceOf } from './partitions.ts';
import { consumedShareOf } from './routes.ts';
import { brokerNeeds, countFor, type Need, redisNeeds, type Stored, shardNeeds, storedBy } from './servers-needed.ts';
import { type TopicLoad, type Traffic, topicLoads, trafficOf } from './traffic.ts';

/** A service. */
export type Service = (typeof serviceProcesses)[number];

/** What a service needs. */
export interface ServiceNeed extends ConsumerWork {
  readonly service: Service;
  readonly replicas: number;
  /** With all replicas, and with one fewer. */
  readonly outcome: BurstOutcome;
  readonly oneFewer: BurstOutcome;
}

/** What a load needs. */
export interface ScaleModel {
  readonly plan: Assumptions;
  readonly streams: readonly Stream[];
  readonly services: readonly ServiceNeed[];
  readonly partitions: number;
  readonly topics: readonly TopicLoad[];
  readonly stored: Stored;
  readonly shardNeeds: readonly Need[];
  readonly shards: number;
  readonly brokerNeeds: readonly Need[];
  readonly brokers: number;
  readonly redisNeeds: readonly Need[];
  readonly traffic: Traffic;
}

/** Cores of a service in the peak hour, how much of it is consumed, and its idle work. */
export function workOf(service: Service, inputs: ScaleInputs, streams: readonly Stream[]): ConsumerWork {
  return {
    cores: coresOf(service, streams),
    idleShare: inputs.costs.idle[service] / 1e6,
    consumedShare: consumedShareOf(service, streams),
  };
}

/** The burst of a plan. */
export const burstOf = ({ burstFactor, burstSeconds }: Assumptions): Burst => ({ factor: burstFactor, seconds: burstSeconds });

/**
 * What the load of a plan needs.
 * @throws RangeError when a service needs more than can be had
 */
export function scaleModel(inputs: ScaleInputs, plan: Assumptions): ScaleModel {
  const streams = streamsOf(inputs, plan);
  const burst = burstOf(plan);
  const works = new Map(serviceProcesses.map((service) => [service, workOf(service, inputs, streams)]));
  const division = bestDivision(works, burst);
  const services = [...works].map(([service, work]): ServiceNeed => {
    const replicas = division.replicas.get(service) as number;
    const workAmong = (count: number): Work => ({ ...work, imbalance: imbalanceOf(division.partitions, count, work.consumedShare) });
    return {
      service,
      ...work,
      replicas,
      outcome: passBurst(workAmong(replicas), replicas, burst),
      oneFewer: passBurst(workAmong(replicas - 1), replicas - 1, burst),
    };
  });
  const topics = topicLoads(streams);
  const messagesADay = topics.reduce((sum, { perDay }) => sum + perDay, 0);
  const shards = shardNeeds(inputs, streams, plan);
  const brokers = brokerNeeds(streams, messagesADay, TOPIC_RETENTION_DAYS, plan);
  return {
    plan,
    streams,
    services,
    partitions: division.partitions,
    topics,
    stored: storedBy(inputs.sizes, plan),
    shardNeeds: shards,
    shards: countFor(shards),
    brokerNeeds: brokers,
    brokers: countFor(brokers, plan.leastBrokers),
    redisNeeds: redisNeeds(streams, plan),
    traffic: trafficOf(streams, plan),
  };
}
