import { serviceProcesses } from '../../distributed-stage.ts';

/** Services, and the servers whose CPU time is modelled, as the tables of costs name their processes. */
export const processes = [...serviceProcesses, 'mongo-1', 'kafka-1', 'redis'] as const;
export type ProcessName = (typeof processes)[number];

/** Microseconds of CPU by process. */
export type Vector = Readonly<Record<ProcessName, number>>;

/** Costs of an operation over all processes, measured from its beginning to its last effect. */
export const measuredCosts = ['idle', 'submission', 'eventInBatch', 'eventOnKafka', 'pushChanged', 'pushSame'] as const;
export type MeasuredCost = (typeof measuredCosts)[number];

/** Where a measured number is published. */
export interface InputSource {
  readonly heading: string;
  /** First cells of the line. */
  readonly line: readonly string[];
  readonly column: string;
}

const HOLDS = 'What one replica with one core holds';
const ASKS = 'What one of them asks of MongoDB and Kafka';

const cpu = (service: string, work: string): InputSource => ({ heading: HOLDS, line: [service, work], column: 'CPU, µs' });
const asks = (load: string, column: string): InputSource => ({ heading: ASKS, line: [load], column });
const reads = (load: string): InputSource => asks(load, 'MongoDB reads');
const writes = (load: string): InputSource => asks(load, 'Writes');

/** Numbers of the tables of `capacity`, by a name of the model: CPU in microseconds, operations of MongoDB, MiB. */
export const inputSources = {
  gatewayUpload1: cpu('gateway', 'upload of 1 MB passed on'),
  gatewayUpload10: cpu('gateway', 'upload of 10 MB passed on'),
  gatewayDownload1: cpu('gateway', 'download of 1 MB passed on'),
  gatewayGet: cpu('gateway', 'GET passed on'),
  fileUpload1: cpu('file', 'upload of 1 MB'),
  fileUpload10: cpu('file', 'upload of 10 MB'),
  fileDownload1: cpu('file', 'download of 1 MB'),
  forecastQuery: cpu('forecast', 'weighing query'),
  trackingQuery: cpu('tracking', 'query, simulated carrier'),
  trackingPoll: cpu('tracking', 'poll, simulated carrier'),
  submissionReads: reads('Submission of 1 item'),
  submissionWrites: writes('Submission of 1 item'),
  eventReads: reads('Weighing on Kafka'),
  eventWrites: writes('Weighing on Kafka'),
  uploadReads: reads('Upload of 1 MB'),
  uploadWrites: writes('Upload of 1 MB'),
  downloadReads: reads('Download of 1 MB'),
  queryReads: reads('Weighing query'),
  trackingQueryReads: reads('Tracking query'),
  pollReads: reads('Poll of a carrier'),
  pollWrites: writes('Poll of a carrier'),
  parcelDisk: asks('A parcel of the example, all of its life', 'On disk for 1,000, MiB'),
} as const satisfies Readonly<Record<string, InputSource>>;
export type InputName = keyof typeof inputSources;

/** What is stored of a million parcels, GiB on the disk of one member. */
export interface StoredSize {
  readonly service: string;
  readonly data: number;
  readonly indexes: number;
}

/** All that the model is computed from, besides its assumptions. */
export interface ScaleInputs {
  readonly costs: Readonly<Record<MeasuredCost, Vector>>;
  readonly others: Readonly<Record<InputName, number>>;
  readonly sizes: readonly StoredSize[];
  /** Where the sizes are from. */
  readonly sizesFrom: string;
}
