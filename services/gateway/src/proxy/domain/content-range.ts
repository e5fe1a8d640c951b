/** Bytes of a content, the last one included; counted from 0. */
export interface ContentRange {
  readonly first: number;
  readonly last: number;
}

/** What of a response decides whether the rest of it can be asked for again. */
export interface RangedResponse {
  readonly status: number;
  /** Names and values in turns. */
  readonly headers: readonly string[];
  readonly contentLength: number | null;
}

function headerIn(headers: readonly string[], name: string): string {
  for (let index = 0; index < headers.length; index += 2) {
    if ((headers[index] as string).toLowerCase() === name) return headers[index + 1] as string;
  }
  return '';
}

/** The bytes that `Content-Range` names (RFC 9110, 14.4). */
export function rangeIn(headers: readonly string[]): ContentRange | undefined {
  const [, first, last] = /^bytes (\d+)-(\d+)\/(?:\d+|\*)$/.exec(headerIn(headers, 'content-range')) ?? [];
  return first === undefined ? undefined : { first: Number(first), last: Number(last) };
}

/**
 * The bytes that a response to GET carries, if any part of them can be asked for later and is the same then: a content that never changes, of a service that
 * responses ranges. Undefined for every other response.
 */
export function repeatableRange({ status, headers, contentLength }: RangedResponse): ContentRange | undefined {
  if (headerIn(headers, 'accept-ranges') !== 'bytes' || !/\bimmutable\b/.test(headerIn(headers, 'cache-control'))) return undefined;
  if (status === 206) return rangeIn(headers);
  return status === 200 && contentLength !== null ? { first: 0, last: contentLength - 1 } : undefined;
}
