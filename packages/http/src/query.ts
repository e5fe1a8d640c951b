import type { Validator } from '@parcelway/contracts/validator';
import { AppError, type FieldError } from '@parcelway/kernel/app-error';
import type { Request } from 'express';
import { noteParameters } from './ignored-input.ts';

/** What is wrong with the text of one field beyond its schema; undefined when nothing is. */
export type FieldCheck = (value: string) => FieldError | undefined;

/** A time whose `+` was not percent-encoded: a form's decoding has made it a blank. */
const DECODED_PLUS = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?) (\d\d:\d\d)$/;

/** Times of a query as they were meant: one that was copied from a response has its `+` back. */
function withPlus(query: Readonly<Record<string, unknown>>, instants: readonly string[]): Readonly<Record<string, unknown>> {
  const restored = { ...query };
  for (const name of instants) {
    const value = restored[name];
    if (typeof value === 'string') restored[name] = value.replace(DECODED_PLUS, '$1+$2');
  }
  return restored;
}

/**
 * The query of a request, validated. Express's simple parser yields strings and, for a repeated name, arrays, which no
 * schema of a query allows; `po_number[$ne]=x` is a name like any other and is ignored as unknown. What is ignored, sendOk names
 * in the response. In a parameter that is a time, a blank for the sign of the offset is read as `+`.
 * @param checks by the name of a field; asked about each that is there and that its schema allows
 * @throws AppError 42201 with all field errors
 */
export function parseQuery<T>(req: Request, validator: Validator<T>, checks: Readonly<Record<string, FieldCheck>> = {}): T {
  noteParameters(req, validator.fields);
  const query = withPlus(req.query, validator.instants);
  const errors = validator.errors(query);
  const wrong = new Set(errors.map(({ field }) => field));
  for (const [field, check] of Object.entries(checks)) {
    const value = query[field];
    const error = typeof value === 'string' && !wrong.has(field) ? check(value) : undefined;
    if (error) errors.push(error);
  }
  if (errors.length > 0) throw AppError.validation(errors);
  return query as T;
}
