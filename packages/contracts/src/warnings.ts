import Type, { type Static } from 'typebox';
import { object } from './object.ts';

/** Something accepted but worth a look: an ignored field or parameter, a date in the past. */
export const Warning = object('Warning', {
  field: Type.String({ description: 'JSON path of the field, or name of the parameter of the query' }),
  message: Type.String(),
});
export type Warning = Static<typeof Warning>;

/** `warnings` of a response that has none of its own. Any response may have them; those of lists and queries, where a typo is likely, say so. */
export const queryWarnings = Type.Optional(
  Type.Array(Warning, {
    description: 'Parameters of the query that are not known and were ignored, at most 20; absent when there are none',
  }),
);

/** `warnings` of a response to a body. */
export const inputWarnings = Type.Array(Warning, {
  description: 'Fields of the body and parameters of the query that are not known and were ignored, at most 20 of each',
});
