import type { serviceProcesses } from '../distributed-stage.ts';

/** A service, as its process is named. */
export type Service = (typeof serviceProcesses)[number];

/** Loads of services, in the order in which they are made. */
export const loadNames = {
  submit1: 'Submission of 1 item',
  submit100: 'Submission of 100 items',
  weighing: 'Weighing over HTTP, alone, and its webhook',
  batch: 'Weighings over HTTP, 100 in a call',
  kafkaWeighing: 'Weighing on Kafka',
  query: 'Weighing query',
  upload1: 'Upload of 1 MB',
  upload10: 'Upload of 10 MB',
  download1: 'Download of 1 MB',
  dispatch: 'Dispatch, with the first poll',
  poll: 'Poll of a carrier',
  trackingQuery: 'Tracking query',
} as const;

/** A load of services. */
export type LoadName = keyof typeof loadNames;

/** Loads of references. */
export const referenceLoadNames = {
  http: 'node:http, constant response',
  https: 'node:https, constant response',
  download: 'node:https, constant 1 MB',
  storedMegabyte: 'node:https, 1 MB to a synced file',
  storedTen: 'node:https, 10 MB to a synced file',
  insert: 'kafkajs eachMessage, insertOne',
  forward: 'kafkajs eachMessage, POST',
} as const;

/** A load of a reference. */
export type ReferenceLoad = keyof typeof referenceLoadNames;

/** One kind of work of one service. */
export interface Work {
  readonly service: Service;
  readonly name: string;
  /** The load in which it is measured. */
  readonly load: LoadName;
  /** How often it is done for each piece of the load. */
  readonly times: number;
  readonly reference: ReferenceLoad;
  /** The measure of the consumers that shows how fast one process does it alone. */
  readonly ceiling?: string;
}

/** Events in a call of a batch. */
export const BATCH = 100;

type Rest = Pick<Work, 'times' | 'ceiling'>;

function work(service: Service, name: string, load: LoadName, reference: ReferenceLoad, rest: Partial<Rest> = {}): Work {
  return { service, name, load, reference, times: 1, ...rest };
}

/** All that is measured, in the order of the report. */
export const works = {
  gatewayGet: work('gateway', 'GET passed on', 'query', 'https'),
  gatewaySubmit1: work('gateway', 'submission of 1 item passed on', 'submit1', 'https'),
  gatewaySubmit100: work('gateway', 'submission of 100 items passed on', 'submit100', 'https'),
  gatewayEvent: work('gateway', 'warehouse event passed on', 'weighing', 'https'),
  gatewayUpload1: work('gateway', 'upload of 1 MB passed on', 'upload1', 'storedMegabyte'),
  gatewayUpload10: work('gateway', 'upload of 10 MB passed on', 'upload10', 'storedTen'),
  gatewayDownload: work('gateway', 'download of 1 MB passed on', 'download1', 'download'),
  submit1: work('forecast', 'submission of 1 item', 'submit1', 'http'),
  submit100: work('forecast', 'submission of 100 items', 'submit100', 'http'),
  query: work('forecast', 'weighing query', 'query', 'http'),
  applied: work('forecast', 'weighing applied', 'weighing', 'insert', { ceiling: 'forecast, weighings' }),
  upload1: work('file', 'upload of 1 MB', 'upload1', 'storedMegabyte'),
  upload10: work('file', 'upload of 10 MB', 'upload10', 'storedTen'),
  download1: work('file', 'download of 1 MB', 'download1', 'download'),
  reported: work('warehouse-intake', 'weighing over HTTP, alone', 'weighing', 'http'),
  reportedInBatch: work('warehouse-intake', 'weighing over HTTP, one of 100', 'batch', 'http', { times: BATCH }),
  reportedOnKafka: work('warehouse-intake', 'weighing on Kafka', 'kafkaWeighing', 'insert', { ceiling: 'warehouse-intake, weighings' }),
  intakeAcceptance: work('warehouse-intake', 'acceptance followed', 'submit1', 'insert', {
    ceiling: 'warehouse-intake, forecasts accepted',
  }),
  trackingQuery: work('tracking', 'query, simulated carrier', 'trackingQuery', 'http'),
  poll: work('tracking', 'poll, simulated carrier', 'poll', 'http'),
  trackingAcceptance: work('tracking', 'acceptance followed', 'submit1', 'insert', { ceiling: 'tracking, forecasts accepted' }),
  received: work('webhook', 'event received, no endpoint', 'kafkaWeighing', 'insert', { ceiling: 'webhook, parcels weighed' }),
  delivered: work('webhook', 'event received, sent, responded', 'weighing', 'forward', { ceiling: 'webhook, sent and responded' }),
} as const satisfies Readonly<Record<string, Work>>;

/** Key of a work. */
export type WorkKey = keyof typeof works;
