import { startScript } from '../child.ts';
import type { Behaviour } from './shapes.ts';

/** What a receiver has counted. */
export interface ReceiverCounts {
  /** Events that have arrived at endpoints that respond. */
  readonly arrived: number;
  /** Arrivals of events that had arrived before. */
  readonly duplicates: number;
  /** Since the start of the receiver. */
  readonly connections: number;
}

/** The merchants' servers, in a child process. */
export interface Receiver {
  /** Address of an endpoint. @param name its own part of the path */
  urlOf(behaviour: Behaviour, name: string): string;
  counts(): Promise<ReceiverCounts>;
  /** First arrivals by event id, milliseconds of the monotonic clock. */
  arrivals(): Promise<ReadonlyMap<string, number>>;
  /** Forgets arrivals; connections still count. */
  reset(): Promise<void>;
  close(): Promise<unknown>;
}

/** Starts a receiver. */
export async function startReceiver(): Promise<Receiver> {
  const { info, ask, end } = await startScript<{ origin: string }>('webhooks/processes/receiver.js');
  return {
    urlOf: (behaviour, name) => `${info.origin}/${behaviour}/${name}`,
    counts: () => ask('counts'),
    arrivals: async () => new Map(await ask<[string, number][]>('arrivals')),
    reset: async () => void (await ask('reset')),
    close: () => end('SIGTERM'),
  };
}
