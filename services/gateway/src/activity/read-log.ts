import type { ListPosition } from '@parcelway/kernel/list-position';
import type { TimeRange } from './ports.ts';

/** Which records of a log are asked for. */
export interface LogRequest<T, Tenant extends string | undefined> {
  readonly tenantId: Tenant;
  readonly range: TimeRange;
  /** Which of them; looked at one by one. Undefined: all. */
  readonly matches: ((record: T) => boolean) | undefined;
  readonly positionOf: (record: T) => ListPosition;
  readonly limit: number;
  readonly after: ListPosition | undefined;
}

/** A part of a log. It may have fewer records than the limit, or none, and others follow: only `next` null is the end. */
export interface LogPage<T> {
  readonly records: readonly T[];
  readonly next: ListPosition | null;
}

/** Records that one page looks at, so that a filter that hits hardly any costs no more than that. */
const MAX_LOOKED_AT = 2000;
const AT_ONCE = 500;

/** A page of a log, newest first. */
export async function readLog<T, Tenant extends string | undefined>(
  store: { list(tenantId: Tenant, range: TimeRange, limit: number, after: ListPosition | undefined): Promise<readonly T[]> },
  request: LogRequest<T, Tenant>,
): Promise<LogPage<T>> {
  const { tenantId, range, matches, positionOf, limit } = request;
  const records: T[] = [];
  let { after } = request;
  const atOnce = matches === undefined ? limit + 1 : AT_ONCE;
  for (let lookedAt = 0; lookedAt < MAX_LOOKED_AT; ) {
    const found = await store.list(tenantId, range, atOnce, after);
    for (const record of found) {
      after = positionOf(record);
      if (matches?.(record) ?? true) records.push(record);
      const isEnd = found.length < atOnce && record === found.at(-1);
      if (records.length === limit) return { records, next: isEnd ? null : after };
    }
    if (found.length < atOnce) return { records, next: null };
    lookedAt += found.length;
  }
  return { records, next: after ?? null };
}
