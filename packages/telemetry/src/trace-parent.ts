import { randomFillSync } from 'node:crypto';

/**
 * A W3C `traceparent` of version 00 (Trace Context, 3.2): trace id, parent id and flags in hex. Neither id may be all zeros.
 * A later version is taken as far as 00 goes, as 3.2.4 asks.
 */
const TRACEPARENT = /^(?!ff)([0-9a-f]{2})-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/;

/** The parts of a `traceparent`. */
export interface TraceParent {
  /** 32 hex digits. */
  readonly traceId: string;
  /** 16 hex digits: the span that the next ones are children of. */
  readonly spanId: string;
}

/** @returns undefined for anything that is no valid `traceparent`: the trace then starts again (Trace Context, 3.3) */
export function parseTraceParent(text: string | undefined | null): TraceParent | undefined {
  const [, version, traceId, spanId, , rest] = (typeof text === 'string' && TRACEPARENT.exec(text)) || [];
  if (traceId === undefined || spanId === undefined) return undefined;
  return version === '00' && rest !== undefined ? undefined : { traceId, spanId };
}

/**
 * The part of a `traceparent` to pass on: all of it for version 00; of a later version the part that 00 defines (3.2.4), because the rest
 * may be any text of any length. @returns undefined for anything invalid
 */
export function passableTraceParent(text: string | undefined): string | undefined {
  const known = parseTraceParent(text);
  if (text === undefined || known === undefined || text.startsWith('00')) return known && text;
  return formatTraceParent(known, (Number.parseInt(text.slice(53, 55), 16) & 1) === 1);
}

/** @param sampled whether the span is exported */
export function formatTraceParent({ traceId, spanId }: TraceParent, sampled: boolean): string {
  return `00-${traceId}-${spanId}-0${sampled ? 1 : 0}`;
}

/** The trace id in a `traceparent` known to be valid. */
export function traceIdOf(traceparent: string): string {
  return traceparent.slice(3, 35);
}

/** Random bytes are drawn for many ids at once: one draw costs more than all else here. */
const ID_BYTES = 24;
const pool = Buffer.alloc(ID_BYTES * 256);
let used = pool.length;

/** A `traceparent` of a new trace that nobody exports. */
export function newTraceParent(): string {
  if (used === pool.length) {
    randomFillSync(pool);
    used = 0;
  }
  const text = pool.toString('hex', used, used + ID_BYTES);
  used += ID_BYTES;
  return `00-${text.slice(0, 32)}-${text.slice(32)}-00`;
}
