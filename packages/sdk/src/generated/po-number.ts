// Made from the contract by `npm run docs`; do not edit.
/** Po number query */
export interface PoNumberQuery {
  /** po_number of the forecast, exactly as submitted */
  readonly po_number: string;
}
