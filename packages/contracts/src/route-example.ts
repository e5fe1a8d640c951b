/** Example of one route, for the API reference. */
export interface RouteExample {
  /** Bodies by a short name; empty when the route takes none, or an upload. */
  readonly requests: Readonly<Record<string, unknown>>;
  /** `data` of the answer; undefined when that is a file. */
  readonly data?: unknown;
}
