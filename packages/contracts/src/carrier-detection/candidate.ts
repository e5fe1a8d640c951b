/** How sure a candidate is, surest first; `detectCarriers` says what each means. */
export const confidences = ['high', 'medium', 'low'] as const;
export type Confidence = (typeof confidences)[number];

/** Most candidates of one number. */
export const MAX_CANDIDATES = 10;

/** A carrier that may have given a tracking number. */
export interface Candidate {
  readonly carrierCode: string;
  readonly carrierName: string;
  readonly confidence: Confidence;
  /** One plain sentence without its full stop, for the people who look at the parcel. */
  readonly reason: string;
}
