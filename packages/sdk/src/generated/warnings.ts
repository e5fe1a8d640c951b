// Made from the contract by `npm run docs`; do not edit.
/** Warning */
export interface Warning {
  /** JSON path of the field, or name of the parameter of the query */
  readonly field: string;
  readonly message: string;
}
