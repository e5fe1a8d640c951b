import { createHash } from 'node:crypto';
import type { ForecastStatus } from '@parcelway/contracts/forecast-status';
import { MAX_DUE_DAYS } from '@parcelway/contracts/warehouse-view-api';
import type { FieldError } from '@parcelway/kernel/app-error';

/*
 * Rounds of the list. A round goes from the latest change back to where the round before began; the first one goes back to
 * the beginning. So one loop with one cursor loads everything, and then polls.
 */

/** A place in the order of changes. */
export interface ViewPosition {
  /** Epoch microseconds. */
  readonly stamp: number;
  readonly forecastNo: string;
}

/** What a caller asks for. All but the merchant choose what the first round shows. */
export interface ViewFilters {
  /** Absent: of expected and present parcels. */
  readonly statuses?: readonly ForecastStatus[] | undefined;
  readonly tenantId?: string | undefined;
  /** Expected on one of these days, YYYY-MM-DD. */
  readonly dueDays?: readonly string[] | undefined;
  /** Epoch milliseconds. */
  readonly updatedFrom?: number | undefined;
}

/** Where a caller is. */
export interface ViewRound {
  /** Shows what has changed after this stamp; null in the first round, which shows everything. */
  readonly above: number | null;
  /** Within the round: where the next one begins, and what was shown last. Null before the first page. */
  readonly page: { readonly next: number; readonly behind: ViewPosition } | null;
}

export const FIRST_ROUND: ViewRound = { above: null, page: null };

export interface ShownPage {
  /** The stamp that was settled when the round began. */
  readonly settled: number;
  /** The last of the page; undefined when it is empty. */
  readonly last: ViewPosition | undefined;
  /** More follows in this round. */
  readonly hasMore: boolean;
}

/** Where a caller is after a page: on its way back, or at the beginning of the next round. */
export function afterPage({ above }: ViewRound, { settled, last, hasMore }: ShownPage): ViewRound {
  return hasMore && last !== undefined ? { above, page: { next: settled, behind: last } } : { above: settled, page: null };
}

const DIGEST_CHARACTERS = 16;

/** Filters as a short text: equal for filters that mean the same, different for others. */
function digestOf({ statuses, tenantId, dueDays, updatedFrom }: ViewFilters): string {
  const meant = [statuses?.toSorted() ?? null, tenantId ?? null, dueDays?.[0] ?? null, dueDays?.at(-1) ?? null, updatedFrom ?? null];
  return createHash('sha256').update(JSON.stringify(meant)).digest('base64url').slice(0, DIGEST_CHARACTERS);
}

const NOTATION = /^v(-|\d{1,16})(?:\.(\d{1,16})\.(\d{1,16})\.([\x21-\x7e]{1,64}))?$/;

/** A round as a text of visible ASCII characters, bound to the filters of the caller. */
export function textOfRound({ above, page }: ViewRound, filters: ViewFilters): string {
  const start = `v${above ?? '-'}`;
  const place = page === null ? start : `${start}.${page.next}.${page.behind.stamp}.${page.behind.forecastNo}`;
  return `${digestOf(filters)}~${place}`;
}

/** The round in a text; `other-filters` when it was made for others, undefined when {@link textOfRound} did not make it. */
export function roundInText(text: string, filters: ViewFilters): ViewRound | 'other-filters' | undefined {
  const mark = text.indexOf('~');
  const [, above, next, stamp, forecastNo] = NOTATION.exec(text.slice(mark + 1)) ?? [];
  if (mark !== DIGEST_CHARACTERS || above === undefined) return undefined;
  if (text.slice(0, mark) !== digestOf(filters)) return 'other-filters';
  const page = forecastNo === undefined ? null : { next: Number(next), behind: { stamp: Number(stamp), forecastNo } };
  return { above: above === '-' ? null : Number(above), page };
}

const DAY_MS = 86_400_000;

const wrong = (field: string, rule: string, message: string): FieldError => ({ field, rule, message: `${field} ${message}` });

/**
 * The days of a range, both ends included.
 * @param from YYYY-MM-DD, a real day
 * @returns undefined without a range; an error when only one end is given, the ends are in the wrong order, or it is too long
 */
export function dueDays(from: string | undefined, to: string | undefined): readonly string[] | FieldError | undefined {
  if (from === undefined && to === undefined) return undefined;
  if (from === undefined) return wrong('due_from', 'required', 'is required together with due_to');
  if (to === undefined) return wrong('due_to', 'required', 'is required together with due_from');
  const days = (Date.parse(to) - Date.parse(from)) / DAY_MS + 1;
  if (days < 1) return wrong('due_to', 'range', 'must not be before due_from');
  if (days > MAX_DUE_DAYS) return wrong('due_to', 'range', `must be within ${MAX_DUE_DAYS} days from due_from, both included`);
  return Array.from({ length: days }, (_, index) => new Date(Date.parse(from) + index * DAY_MS).toISOString().slice(0, 10));
}
