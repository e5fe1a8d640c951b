/** What a request asks for. */
export interface RequestTarget {
  /** Path without the query, percent-encoding as sent. */
  readonly path: string;
  /** Path with query, as it goes on to a service. */
  readonly full: string;
}

/** Printable ASCII without `#`. node:http refuses most others by itself; services must never see one and read it otherwise. */
const PLAIN = /^\/[\x21\x22\x24-\x7e]*$/;

/**
 * The target of a request line. One in absolute form loses its origin (RFC 9112, 3.2.2).
 * @returns undefined when it is no well-formed path: a fragment, another scheme, `*`
 */
export function readTarget(url: string): RequestTarget | undefined {
  let full = url;
  if (!PLAIN.test(full)) {
    full = full.replace(/^https?:\/\/[^/?#]*(?=\/|$)/i, '') || '/';
    if (!PLAIN.test(full)) return undefined;
  }
  const query = full.indexOf('?');
  return { path: query === -1 ? full : full.slice(0, query), full };
}
