import Type, { type TObject, type TObjectOptions, type TProperties, type TSchema } from 'typebox';

/** A named object schema. Documents and clients use the name. */
export const object = <P extends TProperties>(name: string, properties: P): TObject<P> => Type.Object(properties, { $id: name });

/** As {@link object}, with a title for people. */
export const titled = <P extends TProperties>(name: string, title: string, properties: P): TObject<P> =>
  Type.Object(properties, { $id: name, title });

/**
 * A map from any names to values of one kind. TypeBox writes "any name" as the pattern `^.*$`, which no name with a line break
 * matches: without `additionalProperties` the value of such a name would be accepted unchecked.
 * @param options `maxProperties`, `propertyNames` and the like
 */
export const mapOf = <T extends TSchema>(value: T, options: TObjectOptions) =>
  Type.Record(Type.String(), value, { ...options, additionalProperties: value });
