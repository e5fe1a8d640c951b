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
  /** In upper case, without spaces and hyphens */
  readonly tracking_number: string;
  /** At most 10, best first, each carrier once; empty when the number has the form of no known format, or its check digit is wrong */
  readonly candidates: readonly CarrierCandidate[];
  /** A check digit that does not fit, and parameters of the query that are not known and were ignored, at most 20; absent when there is nothing to say */
  readonly warnings?: readonly Warning[];
}

/** Carrier detection query */
export interface CarrierDetectionQuery {
  /** Tracking number as it is printed or written. Compared in upper case without spaces and hyphens */
  readonly tracking_number: string;
}
