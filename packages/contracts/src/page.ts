import Type, { type TProperties, type TSchema } from 'typebox';
import { object } from './object.ts';
import { nextCursor } from './text.ts';
import { queryWarnings } from './warnings.ts';

/** A page of a list. @param field that has the elements */
export const pageOf = <F extends string, S extends TSchema>(name: string, field: F, element: S) => {
  const elements = { [field]: Type.Array(element) } as { readonly [K in F]: Type.TArray<S> } satisfies TProperties;
  return object(name, { ...elements, next_cursor: nextCursor, warnings: queryWarnings });
};
