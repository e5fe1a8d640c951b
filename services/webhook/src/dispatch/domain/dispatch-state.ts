import { type CircuitState, circuitState } from '../../endpoints/domain/circuit.ts';
import type { Endpoint } from '../../endpoints/domain/endpoint.ts';
import type { LeasedDelivery } from '../../intake/domain/delivery.ts';
import { LANE_QUEUE_LIMIT, type Lane, type Lanes } from './lane.ts';

/** Attempts of this process side by side. */
export const MAX_RUNNING = 512;
/** Beyond this only endpoints that have no attempt running may start one, so that no endpoint waits for another's. */
export const SHARED_RUNNING = MAX_RUNNING / 2;
/** Leased deliveries in memory. */
export const MAX_KNOWN = 20_000;
/** Results that wait for the store; beyond it nothing is sent. */
export const MAX_UNRECORDED = 2_000;

/** What was read of an endpoint before it changed may arrive so long after the change, and far sooner as a rule. */
const NEWS_KEPT_MS = 60_000;

/** What has become of an endpoint: its new state, or none when it was deleted. */
interface EndpointNews {
  readonly endpoint: Endpoint | undefined;
  /** Epoch milliseconds. */
  readonly at: number;
}

/** What the dispatcher of a process knows. Only `step` changes it. */
export interface DispatchState {
  readonly lanes: Lanes;
  /** Of endpoints that have changed lately, whether they have a lane or not: what was leased just before arrives later. */
  readonly news: Map<string, EndpointNews>;
  /** Lanes that can start an attempt, in the order of their turns. */
  line: Lane[];
  /** Deliveries in memory, from lease to record, so that none is taken twice by this process. */
  readonly known: Set<string>;
  running: number;
  unrecorded: number;
  /** `stopping`: nothing is leased or started. `stopped`: what waits has been given back; attempts may still run. */
  phase: 'running' | 'stopping' | 'stopped';
  /** When to try a delivery whose full data is unavailable, epoch milliseconds; undefined: now. */
  readonly waitsUntil: (leased: LeasedDelivery) => number | undefined;
}

export function createDispatchState(waitsUntil: DispatchState['waitsUntil'] = () => undefined): DispatchState {
  return { lanes: new Map(), news: new Map(), line: [], known: new Set(), running: 0, unrecorded: 0, phase: 'running', waitsUntil };
}

/** An endpoint that was read at some time, as it is by what is known; undefined when it was deleted since. */
export function newestOf({ news }: DispatchState, endpoint: Endpoint): Endpoint | undefined {
  const known = news.get(endpoint.endpointId);
  if (known === undefined) return endpoint;
  // One that was made later has the id again.
  if (known.endpoint === undefined) return endpoint.createdAt > known.at ? endpoint : undefined;
  return known.endpoint.updatedAt > endpoint.updatedAt ? known.endpoint : endpoint;
}

/** Forgets news that everything which arrives has followed. They are in the order of their time. */
export function forgetNews({ news }: DispatchState, now: number): void {
  for (const [endpointId, { at }] of news) {
    if (Math.abs(now - at) < NEWS_KEPT_MS) return;
    news.delete(endpointId);
  }
}

export function roomOf({ phase, known, lanes }: DispatchState, endpointId: string, now: number): number {
  if (phase !== 'running' || known.size >= MAX_KNOWN) return 0;
  return lanes.get(endpointId)?.room(now) ?? LANE_QUEUE_LIMIT;
}

/** How many attempts of new deliveries would start soon; none while older ones wait in the store. */
export function roomForNew(state: DispatchState, endpointId: string, now: number): number {
  return state.lanes.get(endpointId)?.backlog === true ? 0 : roomOf(state, endpointId, now);
}

/** Endpoints that something is sent to, or waits for here or in the store. */
export function endpointsInUse({ lanes }: DispatchState): readonly Endpoint[] {
  return [...lanes.values()].filter((lane) => (!lane.isEmpty || lane.backlog) && !lane.removed).map(({ endpoint }) => endpoint);
}

export function circuitsOf({ lanes }: DispatchState, now: number): Readonly<Record<CircuitState, number>> {
  const counts = { closed: 0, open: 0, half_open: 0 };
  for (const { endpoint } of lanes.values()) counts[circuitState(endpoint.circuit, now)] += 1;
  return counts;
}
