// Made from the contract by `npm run docs`; do not edit.
import type { CarrierDetection, CarrierDetectionQuery, CarrierList } from './carrier-api.ts';

/** What each route of "Carriers" takes and gives. */
export interface CarriersRoutes {
  /** List the carriers that can be tracked: `GET /open/v1/carriers` */
  readonly listCarriers: {
    readonly path: undefined;
    readonly query: undefined;
    readonly body: undefined;
    readonly data: CarrierList;
  };
  /** Detect the carrier of a tracking number: `GET /open/v1/carriers/detect` */
  readonly detectCarriers: {
    readonly path: undefined;
    readonly query: CarrierDetectionQuery;
    readonly body: undefined;
    readonly data: CarrierDetection;
  };
}
