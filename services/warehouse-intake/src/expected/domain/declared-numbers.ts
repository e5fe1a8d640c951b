import { isCarriersForm } from '@parcelway/contracts/carrier-detection/detect';
import type { DirectoryEntry } from './directory.ts';
import { isDeclared, scannedForm } from './event.ts';

/** So many numbers that no warehouse has seen are nothing unusual. */
export const MAX_UNSUSPECTED = 5000;
/** So many numbers for each parcel that was seen, neither. */
const MAX_UNSEEN_PER_SEEN = 20;
/** Parcels are counted as seen for so many days. */
const SEEN_DAYS = 30;
const DAY_MS = 86_400_000;

/** The logistics numbers of a tenant. */
export interface DeclaredNumbers {
  readonly tenantId: string;
  /** Declared by forecasts whose parcels are expected or here, and never scanned. */
  readonly unseen: number;
  /** Parcels that warehouses have seen in the last 30 days. */
  readonly seen: number;
  /** Most unseen numbers that the operator allows; null for any. */
  readonly limit: number | null;
}

/** How a change of a forecast changes the counts of its tenant. */
export interface CountChange extends Pick<DeclaredNumbers, 'tenantId' | 'unseen' | 'seen'> {}

/**
 * True for a tenant that declares far more numbers than parcels come: perhaps guessed ones, to get the parcels of others. What only such a tenant
 * declares waits until the warehouse names the forecast.
 */
export function isSuspect({ unseen, seen }: Pick<DeclaredNumbers, 'unseen' | 'seen'>): boolean {
  return unseen > MAX_UNSUSPECTED && unseen > MAX_UNSEEN_PER_SEEN * seen;
}

/** Day as counts are kept by it, YYYYMMDD. @param at epoch milliseconds */
export function dayOf(at: number): number {
  return Number(new Date(at).toISOString().slice(0, 10).replaceAll('-', ''));
}

/** First of the days on which parcels are counted as seen. @param now epoch milliseconds */
export function firstSeenDay(now: number): number {
  return dayOf(now - (SEEN_DAYS - 1) * DAY_MS);
}

function unseenOf({ forecast, numbers, claimed, cancelledAt, finishedAt }: DirectoryEntry): number {
  if (forecast === null || cancelledAt !== null || finishedAt !== null) return 0;
  const seen = new Set(claimed);
  const declared = numbers.filter(isDeclared);
  // The station finds a parcel by its po_number, too: without any logistics number, one that a carrier may have given counts like one.
  if (declared.length === 0) return numbers.some((number) => isCarriersForm(scannedForm(number))) ? 1 : 0;
  return declared.filter((number) => !seen.has(number)).length;
}

/** A parcel for each number under which an event came, or one for a forecast that ends without such a number. */
function seenOf({ claimed, finishedAt }: DirectoryEntry): number {
  return claimed.length === 0 && finishedAt !== null ? 1 : claimed.length;
}

/** What a change of an entry adds to the counts of its tenant; undefined when nothing. */
export function countChange(before: DirectoryEntry | undefined, after: DirectoryEntry | undefined): CountChange | undefined {
  const tenantId = after?.forecast?.tenantId;
  if (after === undefined || tenantId === undefined) return undefined;
  const unseen = unseenOf(after) - (before ? unseenOf(before) : 0);
  const seen = Math.max(0, seenOf(after) - (before ? seenOf(before) : 0));
  return unseen === 0 && seen === 0 ? undefined : { tenantId, unseen, seen };
}
