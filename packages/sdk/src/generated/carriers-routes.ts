// Made from the contract by `npm run docs`; do not edit.
import type { CarrierDetection, CarrierDetectionQuery } from './carrier-api.ts';

/** What each route of "Carriers" takes and gives. */
export interface CarriersRoutes {
  /** Detect the carrier of a tracking number: `GET /open/v1/carriers/detect` */
  readonly detectCarriers: {
    readonly path: undefined;
    readonly query: CarrierDetectionQuery;
    readonly body: undefined;
    readonly data: CarrierDetection;
  };
}
