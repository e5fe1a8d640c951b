/** Example of one route, for the API reference. */
export interface RouteExample {
  /** Bodies by a short name; empty when the route takes none, or an upload. The API reference fills in the first. */
  readonly requests: Readonly<Record<string, unknown>>;
  /** Name of a request → what it needs before it can be sent; only for requests that need something. */
  readonly needs?: Readonly<Record<string, string>>;
  /** Parameters of the query that the API reference fills in: only values that mean the same to every reader. */
  readonly query?: Readonly<Record<string, string>>;
  /** `data` of the response; undefined when that is a file. */
  readonly data?: unknown;
}
