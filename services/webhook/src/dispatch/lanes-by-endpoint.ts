import { type CircuitState, circuitState } from '../endpoints/domain/circuit.ts';
import type { Endpoint } from '../endpoints/domain/endpoint.ts';
import { Lane } from './dispatch-lane.ts';

/** The lanes of this process, one for each endpoint that it has to do with. Times are epoch milliseconds. */
export class LanesByEndpoint {
  readonly #lanes = new Map<string, Lane>();

  /** The lane of an endpoint, if there is one. */
  get(endpointId: string): Lane | undefined {
    return this.#lanes.get(endpointId);
  }

  /** The lane of an endpoint, opened when there is none; it knows the newest state of the endpoint. */
  open(endpoint: Endpoint, now: number): Lane {
    const known = this.#lanes.get(endpoint.endpointId);
    if (known) {
      if (endpoint.updatedAt > known.endpoint.updatedAt) known.change(endpoint);
      else if (known.isEmpty && endpoint.updatedAt === known.endpoint.updatedAt) known.noteSlowdown(endpoint.slowedUntil);
      return known;
    }
    const lane = new Lane(endpoint, now);
    this.#lanes.set(endpoint.endpointId, lane);
    return lane;
  }

  /** Forgets a lane, and what was learnt of its endpoint with it. */
  delete({ endpoint }: Lane): void {
    this.#lanes.delete(endpoint.endpointId);
  }

  /** Forgets the lanes of endpoints that nothing waits for and that were not used for long. */
  sweep(now: number): void {
    for (const lane of this.#lanes.values()) {
      if (lane.mayBeForgotten(now)) this.delete(lane);
    }
  }

  /** All lanes, as they are now. */
  all(): readonly Lane[] {
    return [...this.#lanes.values()];
  }

  /** Endpoints that something is sent to, or waits for here or in the store. */
  endpointsInUse(): readonly Endpoint[] {
    return this.all()
      .filter((lane) => (!lane.isEmpty || lane.backlog) && !lane.removed)
      .map(({ endpoint }) => endpoint);
  }

  /** How many circuits are in which state. */
  circuits(now: number): Readonly<Record<CircuitState, number>> {
    const counts = { closed: 0, open: 0, half_open: 0 };
    for (const { endpoint } of this.#lanes.values()) counts[circuitState(endpoint.circuit, now)] += 1;
    return counts;
  }
}
