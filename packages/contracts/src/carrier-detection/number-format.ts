/** A carrier as this product names it: the code is what a dispatch may give as its carrier code. */
export interface Carrier {
  readonly code: string;
  readonly name: string;
}

/**
 * How much the form of a number says without its check digit.
 *
 * - `distinctive`: letters, or so many fixed digits that fewer than one in 10,000 random numbers has the form.
 * - `partial`: a short prefix; other carriers or random digits may have the form too.
 * - `common`: hardly more than a length.
 */
export type Form = 'distinctive' | 'partial' | 'common';

/** One number format of one carrier; of several where the number does not say which of them has the parcel. */
export interface NumberFormat {
  readonly name: string;
  /** Best first; empty when the number names nobody that we know, and then the format does not match. */
  readonly carriers: readonly Carrier[] | ((trackingNumber: string) => readonly Carrier[]);
  /** Anchored, and linear in the length; with the groups `body` and `check` where there is a check digit. */
  readonly expression: RegExp;
  /** Returns the right check character of a body; absent where the carrier has none, or none is known. */
  readonly checkDigit?: (body: string) => string;
  readonly form: Form;
  /** Begins the reason of a candidate. */
  readonly description: string;
  /** Ends the reason of a candidate. */
  readonly detail?: (trackingNumber: string) => string;
}
