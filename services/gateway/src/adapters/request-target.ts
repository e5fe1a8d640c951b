/** What a request asks for. */
export interface RequestTarget {
  /** Path without the query, percent-encoding as sent. */
  readonly path: string;
  /** Path with query, as it goes on to a service. */
  readonly full: string;
}

const PLAIN = /^\/[\x21\x22\x24-\x7e]*$/;

/**
 * The target of a request line. Characters beyond ASCII, which some clients send unencoded, become percent-encoded
 * bytes; a target in absolute form loses its origin (RFC 9112, 3.2.2).
 * @returns undefined when it is no well-formed path: control characters, a fragment, another scheme, `*`
 */
export function readTarget(url: string): RequestTarget | undefined {
  let full = url;
  if (!PLAIN.test(full)) {
    full = full.replace(/^https?:\/\/[^/?#]*(?=\/|$)/i, '');
    // node:http hands the bytes of the request line over as latin1, one character a byte.
    full = full.replace(/[\x80-\xff]/g, (byte) => `%${byte.charCodeAt(0).toString(16).toUpperCase()}`);
    if (full === '') full = '/';
    if (!PLAIN.test(full)) return undefined;
  }
  const query = full.indexOf('?');
  return { path: query === -1 ? full : full.slice(0, query), full };
}
