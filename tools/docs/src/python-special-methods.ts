// What methods of the client for Python have different from what the contract says of their routes.

/** Methods that clients/python/src/parcelway/_by_hand.py and _async_by_hand.py have: they do more than to call a route. */
export const byHand = new Set(['events.list', 'files.open', 'imports.waitUntilDone', 'warehouse.reportEvents']);

/** Names that a parameter of a query must not have: they are options of every call. */
export const taken = new Set(['timeout', 'max_retries', 'idempotency_key', 'if_version', 'on_response', 'on_retry', 'self']);

/** Method → what it sends in the query without being asked for it, and its summary: another method leaves that to the caller. */
export const fixed: Readonly<Record<string, { readonly query: Readonly<Record<string, string>>; readonly summary: string }>> = {
  'forecasts.validateBatch': { query: { validate_only: 'true' }, summary: 'Validate many forecasts' },
  'imports.failedCsv': { query: { format: 'csv' }, summary: 'Get the failed rows as CSV' },
};

/** Route → the body that its methods also takes, and the function that makes the body of the contract of either. */
export const bodies: Readonly<Record<string, { readonly type: string; readonly made: string }>> = {
  submitForecastBatch: { type: 'Sequence[t.ForecastSubmission]', made: 'batch_of' },
};

/** Route → the parameter with the value for which it responds with something else, and the type of that. */
export const otherwise: Readonly<Record<string, { readonly name: string; readonly value: string; readonly data: string }>> = {
  submitForecast: { name: 'validate_only', value: 'true', data: 't.ForecastValidation' },
};

/** Named parameters of methods by hand that no query of the contract has. */
export const namedByHand: Readonly<Record<string, readonly string[]>> = { 'events.list': ['follow', 'poll', 'max_outage'] };

/** Further fields of uploads, as a caller of Python gives them. */
export const formFields: Readonly<Record<string, { readonly type: string; readonly doc: string }>> = {
  mapping: {
    type: 'Mapping[str, str | None]',
    doc: 'title of a column → name of a field, or None to ignore the column. Columns that it does not name are mapped by their titles.',
  },
  validate_only: { type: 'bool', doc: 'True checks every forecast and submits none.' },
  url_expires_in: {
    type: 'int',
    doc: 'seconds for which the returned URL opens the file, an hour to a year; it never expires when absent.',
  },
};
