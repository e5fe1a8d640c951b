import { AppError, type FieldError } from '@parcelway/kernel/app-error';
import type { ValidateFunction } from 'ajv/dist/2020.js';
import type { Static, TSchema } from 'typebox';
import { boundsOf, withinBounds } from './bounds.ts';
import { DEPRECATION_KEYWORD } from './deprecation.ts';
import { fieldErrors } from './field-errors.ts';
import { createAjv } from './formats.ts';
import { INSTANT_FORMAT } from './text.ts';

/** A compiled schema. `errors` lists every violated rule at once; empty when the value is valid. */
export interface Validator<T> {
  /** Names of the fields of an object schema; none for any other. */
  readonly fields: readonly string[];
  /** Those of them whose format is a time with offset. */
  readonly instants: readonly string[];
  /** True when `value` has the shape. */
  is(value: unknown): value is T;
  /** Every violated rule (cut at 1000), with JSON paths from the root of the value. */
  errors(value: unknown): FieldError[];
  /**
   * The value, typed.
   * @throws AppError 42201 with all field errors
   */
  parse(value: unknown): T;
}

const [firstError, allErrors] = [createAjv(false), createAjv(true)];

/** A function that is called at most once, at first use: start-up stays short. */
function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}

/**
 * Compiles a schema once; keep the result. Types are strict: nothing is coerced, nothing is removed, no default is filled in.
 *
 * Most values are valid, so a value is first judged by a check that ends at the first error. Only what fails is judged again for all its
 * errors, as far as the bounds of the schema go: 5 MB of errors in an array would otherwise take gigabytes.
 */
export function compileValidator<S extends TSchema>(schema: S): Validator<Static<S>> {
  // The `$id` is dropped so that a schema may stand inside another.
  const bare = once(() => withoutIds(schema) as object);
  const isValid = once((): ValidateFunction => firstError.compile(bare()));
  const judge = once((): ValidateFunction => allErrors.compile(bare()));
  const bounds = once(() => boundsOf(schema));
  const errorsOf = (value: unknown): FieldError[] => {
    if (isValid()(value)) return [];
    const run = judge();
    run(withinBounds(value, bounds()));
    const errors = fieldErrors(run.errors ?? []);
    // A compiled function keeps its last errors, and they the value.
    run.errors = null;
    return errors;
  };
  const properties = Object.entries(
    (schema as { readonly properties?: Readonly<Record<string, { readonly format?: string }>> }).properties ?? {},
  );
  return {
    fields: properties.map(([name]) => name),
    instants: properties.filter(([, { format }]) => format === INSTANT_FORMAT).map(([name]) => name),
    is: (value): value is Static<S> => isValid()(value) as boolean,
    errors: errorsOf,
    parse(value) {
      const errors = errorsOf(value);
      if (errors.length > 0) throw AppError.validation(errors);
      return value as Static<S>;
    },
  };
}

/** A copy of a schema without `$id`, `title`-only metadata untouched. */
function withoutIds(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(withoutIds);
  if (schema === null || typeof schema !== 'object') return schema;
  return Object.fromEntries(
    Object.entries(schema)
      .filter(([key]) => key !== '$id' && key !== DEPRECATION_KEYWORD)
      .map(([key, value]) => [key, withoutIds(value)]),
  );
}
