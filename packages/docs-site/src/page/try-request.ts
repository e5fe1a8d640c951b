export interface FilledIn {
  readonly place: 'path' | 'query' | 'header';
  readonly name: string;
  readonly value: string;
}

export interface TryRequest {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** Builds a request. Empty fields are left out. */
export function tryRequest(base: string, path: string, fields: readonly FilledIn[], key?: string): TryRequest {
  const filled = fields.filter(({ value }) => value !== '');
  let way = path;
  for (const { name, value } of filled.filter(({ place }) => place === 'path')) way = way.replace(`{${name}}`, encodeURIComponent(value));
  const query = new URLSearchParams(
    filled.filter(({ place }) => place === 'query').map(({ name, value }): [string, string] => [name, value]),
  );
  const headers = filled.filter(({ place }) => place === 'header').map(({ name, value }) => [name, value] as const);
  return {
    url: `${base}${way}${query.size > 0 ? `?${query}` : ''}`,
    headers: { ...(key === undefined ? {} : { 'X-Api-Key': key }), ...Object.fromEntries(headers) },
  };
}

/** A body as people read it: JSON with indentation, anything else as it came. */
export function readableBody(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}
