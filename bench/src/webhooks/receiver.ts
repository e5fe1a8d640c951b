import { request } from 'undici';
import { startScript } from '../child-server.ts';
import type { Behaviour } from './shapes.ts';

const RESPONSE_WITHIN_MS = 10_000;

/** What a receiver has counted. */
export interface ReceiverCounts {
  /** Events that have arrived at endpoints that response. */
  readonly arrived: number;
  /** Arrivals of events that had arrived before. */
  readonly duplicates: number;
  /** Requests that got a 500. */
  readonly failed: number;
  /** Requests that were left without a response. */
  readonly hung: number;
  /** Deliveries without the header that names the event. */
  readonly unnamed: number;
  /** Since the start of the receiver. */
  readonly connections: number;
}

/** The merchants' servers, in a process of their own. */
export interface Receiver {
  /** Address of an endpoint. @param name its own part of the path */
  urlOf(behaviour: Behaviour, name: string): string;
  counts(): Promise<ReceiverCounts>;
  /** First arrivals by event id, milliseconds of the monotonic clock. */
  arrivals(): Promise<ReadonlyMap<string, number>>;
  /** Forgets what has arrived; connections go on being counted. */
  reset(): Promise<void>;
  close(): Promise<void>;
}

/** Starts a receiver. @param idHeader header in which the side under test names the event, lower case */
export async function startReceiver(idHeader: string): Promise<Receiver> {
  const child = await startScript<{ origin: string; control: string }>('webhooks/processes/receiver.js', [idHeader]);
  const { origin, control } = child.info;
  const ask = async <T>(method: 'GET' | 'POST', path: string): Promise<T> => {
    const response = await request(`${control}${path}`, { method, signal: AbortSignal.timeout(RESPONSE_WITHIN_MS) });
    return (await response.body.json()) as T;
  };
  return {
    urlOf: (behaviour, name) => `${origin}/${behaviour}/${name}`,
    counts: () => ask('GET', '/counts'),
    arrivals: async () => new Map(await ask<[string, number][]>('GET', '/arrivals')),
    reset: async () => void (await ask('POST', '/reset')),
    close: () => child.stop(),
  };
}
