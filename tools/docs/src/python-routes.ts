// The table of routes in clients/python.
import { routes } from '@parcelway/contracts/routes';
import { isRepeatable } from '@parcelway/tools-contracts/sdk-resources';
import { quote } from './python-words.ts';

// What methods of the client for Python have different from what the contract says of their routes.

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

/** How the client for Python calls a route. */
export interface PythonCall {
  /** Such as `forecasts.list`; several are joined by `or`. */
  readonly method: string;
  /** Names of the parameters that have to be named. */
  readonly parameters: readonly string[];
}

/** A tuple, which has a comma behind its only element. */
const tuple = (values: readonly string[]) =>
  `(${values
    .map((value) => `${quote(value)},`)
    .join(' ')
    .replace(/(?<=, .*),$/, '')})`;

/** Text of the module with the table of routes. @param calls of the client, by id of the route */
export function pythonRoutes(calls: ReadonlyMap<string, PythonCall>): string {
  const rows = routes.map((route) => {
    const kind = route.body === 'multipart' ? 'upload' : route.data === 'binary' || route.data === 'table' ? 'file' : 'json';
    const flags = [route.access === 'public', route.idempotencyKey === true, route.ifMatch === true, isRepeatable(route)]
      .map(quote)
      .join(', ');
    const { method, parameters } = calls.get(route.id) ?? { method: '', parameters: [] };
    if (method === '') throw new Error(`No method of packages/sdk calls ${route.id}`);
    const called = `${quote(method)}, ${tuple(parameters)}`;
    return `    ${quote(route.id)}: Route(${[route.method, route.path, kind].map(quote).join(', ')}, ${flags}, ${called}),\n`;
  });
  return `# Made from the contract by \`npm run docs\`; do not edit.
"""Where each route is."""

from __future__ import annotations

from typing import Literal, NamedTuple


class Route(NamedTuple):
    """A route of the API."""

    method: str
    path: str
    kind: Literal["json", "upload", "file"]
    """upload: the body is a file. file: the response is one."""
    public: bool
    """True when it needs no key, and gets none."""
    takes_key: bool
    """True when it takes the header Idempotency-Key."""
    takes_version: bool
    """True when it takes the header If-Match."""
    repeatable: bool
    """True when the same call may be made twice."""
    call: str
    """Method of the client, such as \`forecasts.list\`; several are joined by "or"."""
    parameters: tuple[str, ...]
    """Parameters of the method that have to be named."""


ROUTES = {
${rows.join('')}}
`;
}
