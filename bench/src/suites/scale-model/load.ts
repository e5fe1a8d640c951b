import type { Assumptions } from './assumptions.ts';
import { type ProcessName, processes, type ScaleInputs, type Vector } from './inputs.ts';

/** What comes in, stream by stream. */
export const streamNames = {
  submission: 'Submission, with its documents',
  eventInBatch: 'Warehouse event in a call of 100, to its webhook',
  eventOnKafka: 'Warehouse event on Kafka, to its webhook',
  pushChanged: 'Push with a new status, to its webhook',
  pushSame: 'Push with a further node',
  upload: 'Upload of a file',
  download: 'Download of a file',
  query: 'Weighing query',
  trackingQuery: 'Tracking query',
  poll: 'Poll of a source',
} as const;
export type StreamName = keyof typeof streamNames;

/** One stream of the load. */
export interface Stream {
  readonly name: StreamName;
  /** A second, in the peak hour. */
  readonly perSecond: number;
  /** A day. */
  readonly perDay: number;
  /** CPU of one, over all processes. */
  readonly cost: Vector;
  /** Operations of MongoDB. */
  readonly reads: number;
  readonly writes: number;
}

const SECONDS_A_DAY = 86_400;

const vector = (parts: Partial<Record<ProcessName, number>>): Vector =>
  Object.fromEntries(processes.map((process) => [process, parts[process] ?? 0])) as Vector;

/** CPU of `megabytes`, on the line through the measured costs of 1 and of 10 MB; never below nothing. */
export function costOfSize(megabytes: number, of1: number, of10: number): number {
  const perMegabyte = (of10 - of1) / 9;
  return Math.max(0, of1 + (megabytes - 1) * perMegabyte);
}

/** CPU of mongod for one operation, microseconds: that of a warehouse event on Kafka, the only chain whose operations are counted as it is measured. */
export function mongoOperationCost({ costs, others }: ScaleInputs): number {
  return costs.eventOnKafka['mongo-1'] / (others.eventReads + others.eventWrites);
}

type Rate = Pick<Stream, 'perSecond' | 'perDay'>;

/** Operations that are measured from their beginning to their last effect. */
function chains({ costs, others }: ScaleInputs, plan: Assumptions, mongoCost: number): readonly Stream[] {
  const chain = (name: StreamName & keyof ScaleInputs['costs'], rate: Rate, reads: number, writes: number): Stream => {
    return { name, ...rate, cost: costs[name], reads, writes };
  };
  const events = (name: 'eventInBatch' | 'eventOnKafka', share: number): Stream => {
    const rate = { perSecond: plan.warehouseEvents * share, perDay: plan.eventsAParcel * plan.parcelsADay * share };
    return chain(name, rate, others.eventReads, others.eventWrites);
  };
  const pushes = (name: 'pushChanged' | 'pushSame', perSecond: number): Stream => {
    // None of the tables counts the operations of a push: half of them are taken to be writes.
    const half = costs[name]['mongo-1'] / mongoCost / 2;
    return chain(name, { perSecond, perDay: (plan.pushesAParcel * plan.parcelsADay * perSecond) / plan.pushes }, half, half);
  };
  const changed = plan.webhooks - plan.warehouseEvents;
  const submissions = { perSecond: plan.submissions, perDay: plan.parcelsADay };
  return [
    chain('submission', submissions, others.submissionReads, others.submissionWrites),
    events('eventInBatch', 1 - plan.eventsOnKafkaShare),
    events('eventOnKafka', plan.eventsOnKafkaShare),
    pushes('pushChanged', changed),
    pushes('pushSame', plan.pushes - changed),
  ];
}

/** Requests and polls, of which the cost of one service each is measured. */
function requests({ others }: ScaleInputs, plan: Assumptions, mongoCost: number): readonly Stream[] {
  const request = (name: StreamName, rate: Rate, parts: Partial<Record<ProcessName, number>>, reads: number, writes = 0): Stream => {
    return { name, ...rate, cost: vector({ ...parts, 'mongo-1': (reads + writes) * mongoCost }), reads, writes };
  };
  const times = (aParcel: number): Rate => ({ perSecond: plan.submissions * aParcel, perDay: plan.parcelsADay * aParcel });
  const stored = costOfSize(plan.fileMegabytes, others.fileUpload1, others.fileUpload10);
  const passedOn = costOfSize(plan.fileMegabytes, others.gatewayUpload1, others.gatewayUpload10);
  // Downloads were measured in one size: another size takes the part that it takes of an upload.
  const opened = {
    gateway: others.gatewayDownload1 * (passedOn / others.gatewayUpload1),
    file: others.fileDownload1 * (stored / others.fileUpload1),
  };
  const asked = { gateway: others.gatewayGet };
  const polls = { perSecond: plan.polls, perDay: plan.polls * SECONDS_A_DAY };
  return [
    request('upload', times(plan.filesAParcel), { gateway: passedOn, file: stored }, others.uploadReads, others.uploadWrites),
    request('download', times(plan.filesAParcel), opened, others.downloadReads),
    request('query', times(plan.weighingQueriesAParcel), { ...asked, forecast: others.forecastQuery }, others.queryReads),
    request('trackingQuery', times(plan.trackingQueriesAParcel), { ...asked, tracking: others.trackingQuery }, others.trackingQueryReads),
    request('poll', polls, { tracking: others.trackingPoll }, others.pollReads, others.pollWrites),
  ];
}

/**
 * The load of the peak hour and of a day. Webhooks that do not follow warehouse events follow pushes with a new status.
 * @throws RangeError when there are fewer webhooks than warehouse events, or more than both sources can have
 */
export function streamsOf(inputs: ScaleInputs, plan: Assumptions): readonly Stream[] {
  const changed = plan.webhooks - plan.warehouseEvents;
  if (changed < 0 || changed > plan.pushes)
    throw new RangeError('Webhooks must be between the warehouse events, and these and the pushes together');
  const mongoCost = mongoOperationCost(inputs);
  return [...chains(inputs, plan, mongoCost), ...requests(inputs, plan, mongoCost)];
}

/** Cores that a process needs in the peak hour, without its idle work. */
export function coresOf(process: ProcessName, streams: readonly Stream[]): number {
  return streams.reduce((sum, { perSecond, cost }) => sum + (perSecond * cost[process]) / 1e6, 0);
}
