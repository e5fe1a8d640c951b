import type { Validator } from '@parcelway/contracts/validator';
import type { Request } from 'express';

/**
 * The query of a request, validated. Express's simple parser yields strings and, for a repeated name, arrays, which no
 * schema of a query allows; `po_number[$ne]=x` is a name like any other and is ignored as unknown.
 * @throws AppError 42201 with all field errors
 */
export function parseQuery<T>(req: Request, validator: Validator<T>): T {
  return validator.parse({ ...req.query });
}
