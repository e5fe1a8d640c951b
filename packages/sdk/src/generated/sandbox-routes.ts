// Made from the contract by `npm run docs`; do not edit.
import type { ListenQuery, ListenResult, Simulation, SimulationResult } from './sandbox-api.ts';

/** What each route of "Sandbox" takes and gives. */
export interface SandboxRoutes {
  /** Receive webhooks without a public address: `GET /sandbox/v1/listen` */
  readonly listen: {
    readonly path: undefined;
    readonly query: ListenQuery;
    readonly body: undefined;
    readonly data: ListenResult;
  };
  /** Simulate the warehouse or the carrier: `POST /sandbox/v1/simulations` */
  readonly simulate: {
    readonly path: undefined;
    readonly query: undefined;
    readonly body: Simulation;
    readonly data: SimulationResult;
  };
}
