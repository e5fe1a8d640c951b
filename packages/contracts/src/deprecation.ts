type JsonObject = Record<string, unknown>;

/** That a route or a field is on its way out. It works unchanged until its sunset. */
export interface Deprecation {
  /** Day of the announcement, YYYY-MM-DD. */
  readonly since: string;
  /** Day from which it may be gone, YYYY-MM-DD; absent while that is open. */
  readonly sunset?: string;
  /** Page that says what to use instead. */
  readonly link: string;
}

/** Keyword of a schema that holds the {@link Deprecation} of a field. */
export const DEPRECATION_KEYWORD = 'x-deprecation';

/** Options that mark the schema of a field as deprecated: `Type.String({ description: '…', ...deprecated({ … }) })`. */
export const deprecated = (deprecation: Deprecation): JsonObject => ({ [DEPRECATION_KEYWORD]: deprecation });

const made = new WeakMap<Deprecation, readonly string[]>();

/**
 * Headers of responses, names and values in turn: `Deprecation` (RFC 9745, a structured date), `Sunset` (RFC 8594, an HTTP date) and
 * the link of relation `deprecation`. Made once for each deprecation.
 */
export function deprecationHeaders(deprecation: Deprecation): readonly string[] {
  let headers = made.get(deprecation);
  if (headers === undefined) {
    const { since, sunset, link } = deprecation;
    headers = [
      ...['Deprecation', `@${Date.parse(since) / 1000}`],
      ...(sunset === undefined ? [] : ['Sunset', new Date(sunset).toUTCString()]),
      ...['Link', `<${link}>; rel="deprecation"`],
    ];
    made.set(deprecation, headers);
  }
  return headers;
}

/** For people: since when, until when, and where to read on. */
export function deprecationSentence({ since, sunset, link }: Deprecation): string {
  return `Deprecated since ${since}${sunset === undefined ? '' : `; may be gone from ${sunset} on`}. What to use instead: ${link}`;
}

/** A deprecated field of a request: the names that lead to it, `[]` for every element of a list. */
export interface DeprecatedField {
  readonly path: readonly string[];
  readonly deprecation: Deprecation;
}

/** The deprecated fields in a schema, at any depth. */
export function deprecatedFields(schema: unknown, path: readonly string[] = []): DeprecatedField[] {
  if (schema === null || typeof schema !== 'object') return [];
  const { properties = {}, items, anyOf = [], oneOf = [], allOf = [], [DEPRECATION_KEYWORD]: own } = schema as JsonObject;
  return [
    ...(own === undefined ? [] : [{ path, deprecation: own as Deprecation }]),
    ...Object.entries(properties as JsonObject).flatMap(([name, field]) => deprecatedFields(field, [...path, name])),
    ...deprecatedFields(items, [...path, '[]']),
    ...[anyOf, oneOf, allOf].flatMap((branches) => (branches as unknown[]).flatMap((branch) => deprecatedFields(branch, path))),
  ];
}

/** True when a value has the field to which a path leads. */
export function hasField(value: unknown, [step, ...rest]: readonly string[]): boolean {
  if (step === undefined) return value !== undefined;
  if (step === '[]') return Array.isArray(value) && value.some((element) => hasField(element, rest));
  if (value === null || typeof value !== 'object' || !Object.hasOwn(value, step)) return false;
  return hasField((value as JsonObject)[step], rest);
}

/** The deprecated parameters and fields of a route's request. */
export function deprecatedInputOf({ query, body }: { readonly query?: unknown; readonly body?: unknown }): {
  readonly query: readonly DeprecatedField[];
  readonly body: readonly DeprecatedField[];
} {
  return { query: deprecatedFields(query), body: deprecatedFields(body) };
}
