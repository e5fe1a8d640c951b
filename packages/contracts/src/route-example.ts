/** Example of one route, for the API reference. */
export interface RouteExample {
  /** Bodies by a short name; empty when the route takes none, or an upload. The API reference fills in the first. */
  readonly requests: Readonly<Record<string, unknown>>;
  /** Name of a request → what it needs before it can be sent; only for requests that need something. */
  readonly needs?: Readonly<Record<string, string>>;
  /** `data` of the response; undefined when that is a file. */
  readonly data?: unknown;
}
