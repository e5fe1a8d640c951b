// Made from the contract by `npm run docs`; do not edit.
import type { Warning } from './warnings.ts';

/** Carrier candidate */
export interface CarrierCandidate {
  /** The platform's code of the carrier */
  readonly carrier_code: string;
  readonly carrier_name: string;
  /** high: the form is distinctive and the check digit is right; medium: the form is distinctive and has no known check digit, or it is a short prefix and the check digit is right; low: hardly more than the length fits */
  readonly confidence: 'high' | 'medium' | 'low';
  /** What fits, as a sentence for people */
  readonly reason: string;
}

/** Carrier detection */
export interface CarrierDetection {
  /** In upper case, without spaces, hyphens and invisible characters */
  readonly tracking_number: string;
  /** At most 10, best first, each carrier once; empty when the number has the form of no known format, or its check digit is wrong */
  readonly candidates: readonly CarrierCandidate[];
  /** A check digit that does not fit, and parameters of the query that are not known and were ignored, at most 20; absent when there is nothing to say */
  readonly warnings?: readonly Warning[];
}

/** Carrier detection query */
export interface CarrierDetectionQuery {
  /** Tracking number as it is printed or written. Compared in upper case without spaces, hyphens and invisible characters */
  readonly tracking_number: string;
}

/** Carrier list */
export interface CarrierList {
  /** Carriers that a connection names, by code, each once; at most 1000 */
  readonly carriers: readonly ServedCarrier[];
  /** True when a connection serves every carrier, those that are not listed too */
  readonly serves_all: boolean;
  /** Sandbox only: a carrier that nothing serves is simulated. Absent in production */
  readonly simulated?: true;
  /** Parameters of the query that are not known and were ignored, at most 20; absent when there are none */
  readonly warnings?: readonly Warning[];
}

/** Served carrier */
export interface ServedCarrier {
  /** In lower case */
  readonly carrier_code: string;
  /** own: a connection of yours; platform: the operator of the platform */
  readonly served_by: 'own' | 'platform';
  /** What is asked first, such as `17track`; `generic` for an interface of the carrier itself */
  readonly source: string;
}

/** Carriers for a warehouse */
export interface WarehouseCarriers {
  /** Codes that the connections of the platform name, each once; at most 1000 */
  readonly carriers: readonly string[];
  /** Parameters of the query that are not known and were ignored, at most 20; absent when there are none */
  readonly warnings?: readonly Warning[];
}
