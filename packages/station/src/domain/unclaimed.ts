import type { WaitingEvent, WaitingEventList } from '@parcelway/contracts/unclaimed-api';
import type { ScanMatch, WarehouseForecast, WarehouseForecastDetail } from '@parcelway/contracts/warehouse-view-api';
import type { NoticeKey } from '../messages/words.ts';
import { comparable } from './entry.ts';

/** A parcel that waits: the reports of a page that wait under one number, which are resolved together. */
export interface UnclaimedParcel {
  /** The oldest of its reports. */
  readonly id: string;
  /** As scanned, or the forecast_no that leads nowhere. */
  readonly number: string;
  readonly reason: WaitingEvent['reason'];
  /** Oldest first. */
  readonly reports: readonly WaitingEvent[];
  readonly candidates: readonly string[];
}

export interface UnclaimedPage {
  readonly parcels: readonly UnclaimedParcel[];
  /** Cursors that led here, the one of this page last; empty on the first page. */
  readonly cursors: readonly string[];
  readonly next: string | undefined;
}

export const isEmpty = ({ parcels, cursors }: UnclaimedPage): boolean => parcels.length === 0 && cursors.length === 0;

export interface Choice {
  readonly forecast: WarehouseForecast | WarehouseForecastDetail;
  /** By what a scan found it; undefined for one that declares the number. */
  readonly matchedBy?: ScanMatch;
}

export type UnclaimedAsk =
  | { readonly ask: 'page'; readonly cursors: readonly string[] }
  | { readonly ask: 'candidates'; readonly parcel: UnclaimedParcel }
  | { readonly ask: 'lookup'; readonly scan: string }
  | { readonly ask: 'read'; readonly forecastNo: string }
  | { readonly ask: 'claim'; readonly id: string; readonly forecastNo: string }
  | { readonly ask: 'dismiss'; readonly id: string; readonly reason: string };

export type UnclaimedResponse =
  | { readonly of: 'page'; readonly page: UnclaimedPage }
  | { readonly of: 'choices'; readonly choices: readonly Choice[]; readonly hasMore: boolean }
  | { readonly of: 'forecast'; readonly forecast: WarehouseForecastDetail }
  | { readonly of: 'done'; readonly events: number }
  /** `offline`: the platform did not respond, or not now. */
  | { readonly of: 'failure'; readonly code: string; readonly message: string; readonly data: unknown; readonly offline: boolean };

export type UnclaimedDoing =
  | { readonly what: 'list' }
  | { readonly what: 'whose'; readonly parcel: UnclaimedParcel; readonly choices: readonly Choice[]; readonly hasMore: boolean }
  | {
      readonly what: 'confirm';
      readonly parcel: UnclaimedParcel;
      readonly forecast: WarehouseForecastDetail;
      readonly before: Extract<UnclaimedDoing, { what: 'whose' }>;
    }
  | { readonly what: 'reason'; readonly parcel: UnclaimedParcel; readonly before: Extract<UnclaimedDoing, { what: 'whose' }> }
  /** Something is asked; `before` is where Escape or a failure leads. */
  | { readonly what: 'busy'; readonly ask: UnclaimedAsk; readonly before: UnclaimedDoing };

export interface AtUnclaimed {
  readonly at: 'unclaimed';
  readonly page: UnclaimedPage;
  readonly doing: UnclaimedDoing;
}

/** The reports of a page by the number under which they wait. @param cursors that led to it */
export function pageOf({ parcels, next_cursor }: WaitingEventList, cursors: readonly string[]): UnclaimedPage {
  const byNumber = new Map<string, WaitingEvent[]>();
  for (const event of parcels) {
    const key = event.forecast_no === null ? `scanned:${comparable(event.express_no ?? '')}` : `named:${event.forecast_no}`;
    byNumber.set(key, [...(byNumber.get(key) ?? []), event]);
  }
  const groups = [...byNumber.values()].map((reports): UnclaimedParcel => {
    // A dispatch that the forecast does not take is the least that is wrong with a parcel.
    const first = reports.find(({ reason }) => reason !== 'takes_no_dispatch') ?? (reports[0] as WaitingEvent);
    const { id, express_no, forecast_no } = reports[0] as WaitingEvent;
    const candidates = [...new Set(reports.flatMap((report) => report.candidates))];
    return { id, number: forecast_no ?? express_no ?? '', reason: first.reason, reports, candidates };
  });
  return { parcels: groups, cursors, next: next_cursor ?? undefined };
}

/** The parcel of a page that a line means: by its place, or by the number on it. */
export function parcelMeant({ parcels }: UnclaimedPage, line: string): UnclaimedParcel | undefined {
  if (/^\d{1,3}$/.test(line)) return parcels[Number(line) - 1];
  return parcels.find(({ number }) => comparable(number) === comparable(line));
}

export interface Refusal {
  readonly key: NoticeKey;
  readonly value?: string;
}

/** What a refused claim or dismissal means; undefined when it means none of these. */
export function refusalOf({ code, message, data }: Extract<UnclaimedResponse, { of: 'failure' }>): Refusal | undefined {
  if (code === '40403') return { key: /forecast/.test(message) ? 'noSuchForecast' : 'noSuchEvent' };
  if (code !== '40902') return undefined;
  const { action, forecast_no, product_code } = (data ?? {}) as { action?: string; forecast_no?: string; product_code?: string };
  const value = forecast_no === undefined ? {} : { value: forecast_no };
  if (action === 'claim') return { key: 'claimedBefore', ...value };
  if (action === 'dismiss') return { key: 'dismissedBefore' };
  if (product_code !== undefined) return { key: 'claimOfProduct', value: product_code };
  if (forecast_no !== undefined || /applied/.test(message)) return { key: 'appliedBefore', ...value };
  if (/cancelled/.test(message)) return { key: 'forecastCancelled' };
  if (/no dispatch/.test(message)) return { key: 'claimNoDispatch' };
  return /at most/.test(message) ? { key: 'claimTooMany' } : undefined;
}

/** True when the list no longer holds what was on view: it has to be read again. */
export const isOutdated = ({ key }: Refusal): boolean => ['noSuchEvent', 'claimedBefore', 'dismissedBefore', 'appliedBefore'].includes(key);
