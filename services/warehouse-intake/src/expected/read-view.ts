import { type ForecastStatus, forecastStatuses } from '@parcelway/contracts/forecast-status';
import { normaliseTrackingNumber } from '@parcelway/contracts/tracking-number';
import { MAX_CANDIDATES, MAX_SHOWN_REPORTS, type ScanMatch } from '@parcelway/contracts/warehouse-view-api';
import type { Directory } from './directory-store.ts';
import type { IntakeEvent } from './domain/event.ts';
import { isLive } from './domain/forecast-copy.ts';
import { imagesOf, type ParcelReports, type ReportKind, receivedOf, reportsOf } from './domain/parcel-reports.ts';
import { readingsOf, type ScanReading } from './domain/scan-keys.ts';
import { afterPage, type ViewFilters, type ViewRound } from './domain/view-round.ts';
import type { NumberCounts } from './number-counts.ts';
import type { CompleteForecast, SeenForecast, View, ViewQuery } from './view-store.ts';

const EVERY_STATUS: readonly ForecastStatus[] = Object.values(forecastStatuses);
const MICROSECONDS = 1000;

export interface PageRequest extends ViewFilters {
  readonly round: ViewRound;
  readonly limit: number;
}

export interface ForecastPage {
  readonly forecasts: readonly SeenForecast[];
  readonly round: ViewRound;
  readonly hasMore: boolean;
}

function loaded({ statuses, dueDays, updatedFrom }: ViewFilters): Pick<ViewQuery, 'statuses' | 'moved' | 'dueDays' | 'above'> {
  return {
    statuses: statuses ?? EVERY_STATUS.filter(isLive),
    // Who asks for changes may have seen it here; who begins has not (domain/seen-by-warehouse.ts).
    moved: updatedFrom !== undefined,
    dueDays,
    above: updatedFrom === undefined ? -1 : updatedFrom * MICROSECONDS - 1,
  };
}

/**
 * What later rounds show: who follows changes must learn of what no longer fits the filters, and of what has moved away
 * (domain/seen-by-warehouse.ts). A forecast never changes its merchant.
 */
const EVERY_CHANGE: Pick<ViewQuery, 'statuses' | 'moved'> = { statuses: EVERY_STATUS, moved: true };

/**
 * A page of the forecasts of a warehouse, latest change first. Following `round` shows every change at least once, whatever the filters,
 * except those of other merchants.
 * @throws AppError 50301 when the store is out
 */
export async function pageOfForecasts(
  view: Pick<View, 'settled' | 'list'>,
  warehouseCode: string,
  request: PageRequest,
): Promise<ForecastPage> {
  const { round, tenantId, limit } = request;
  // Before anything is read: what is recorded from now on belongs to the next round.
  const settled = round.page?.next ?? (await view.settled());
  const asked = round.above === null ? loaded(request) : { ...EVERY_CHANGE, above: round.above };
  const found = await view.list(warehouseCode, { ...asked, tenantId, behind: round.page?.behind, limit: limit + 1 });
  const forecasts = found.slice(0, limit);
  const last = forecasts.at(-1);
  const hasMore = found.length > limit;
  const position = last && { stamp: last.stamp, forecastNo: last.forecast.forecastNo };
  return { forecasts, hasMore, round: afterPage(round, { settled, last: position, hasMore }) };
}

/** A forecast, and the warehouse that has reported events of it. */
export interface ReportedForecast {
  readonly warehouseCode: string;
  readonly forecastNo: string;
}

/** The most reports of each kind. */
export type ReportLimits = Readonly<Partial<Record<ReportKind, number>>>;

/** Reports by kind, the latest first. A kind without reports may be missing. */
export type LatestReports = Readonly<Partial<Record<ReportKind, readonly IntakeEvent[]>>>;

/** Shows what warehouses have reported of forecasts: events that were applied, and no others. */
export interface AppliedReports {
  /**
   * The latest reports of several forecasts, in the order of the forecasts. `limits` says how many of each kind. Sorted by time of occurrence; of
   * reports with the same time, the one stored later comes first.
   */
  latestOf(forecasts: readonly ReportedForecast[], limits: ReportLimits): Promise<readonly LatestReports[]>;
}

/** A forecast with everything that its warehouse may read of it. */
export interface WholeForecast extends CompleteForecast {
  readonly reports: ParcelReports;
}

export interface ReadForecastOptions {
  readonly view: Pick<View, 'read'>;
  readonly reports: AppliedReports;
}

/** What of a warehouse's reports is shown: of each kind the latest, of counts the last. */
const SHOWN = { measurement: MAX_SHOWN_REPORTS, photo: MAX_SHOWN_REPORTS, exception: MAX_SHOWN_REPORTS, count: 1 } as const;

function shown({ measurement = [], photo = [], exception = [], count = [] }: LatestReports): ParcelReports {
  return {
    measurements: reportsOf('weighing', measurement),
    photos: imagesOf(photo),
    exceptions: reportsOf('exception', exception),
    received: receivedOf(count[0]),
  };
}

/**
 * A forecast of a warehouse as a whole; undefined when the warehouse has none of this number.
 *
 * Measurements, photos, exceptions and counts are the warehouse's own reports, and this service has stored them: they are read where
 * they are, so a warehouse sees them as soon as they are taken. Status, holds and dispatch are what the forecast service makes of all
 * reports, in whatever order they come: they are in the view, by the `parcel.*` events, and agree with what lists show.
 * @throws AppError 50301 when the store is out
 */
export async function readForecast(
  { view, reports }: ReadForecastOptions,
  warehouseCode: string,
  forecastNo: string,
): Promise<WholeForecast | undefined> {
  const seen = await view.read(warehouseCode, forecastNo);
  return seen && (await withReports(reports, [seen]))[0];
}

/** Forecasts with what their present warehouses have reported of them, in their order. @throws AppError 50301 when the store is out */
export async function withReports(
  reports: ReadForecastOptions['reports'],
  seen: readonly CompleteForecast[],
): Promise<readonly WholeForecast[]> {
  const wanted = seen.map(({ forecast: { warehouseCode, forecastNo } }) => ({ warehouseCode: warehouseCode ?? '', forecastNo }));
  const latest = await reports.latestOf(wanted, SHOWN);
  return seen.map((one, index) => ({ ...one, reports: shown(latest[index] ?? {}) }));
}

export interface ScanCandidate {
  readonly seen: SeenForecast;
  readonly matchedBy: ScanMatch;
  readonly reason: string;
  /**
   * No event under the number went to it, and either its tenant is suspect (domain/declared-numbers), or the number is one of many and the parcel has
   * left. Compare the parcel before reporting it.
   */
  readonly isDoubtful: boolean;
}

/** A candidate before anything is known of its tenant. */
interface Found extends Omit<ScanCandidate, 'isDoubtful'> {
  readonly declared: ScanReading['declared'];
}

/** What a lookup needs: it reads no items, which may be megabytes. */
export interface LookUpOptions {
  readonly view: Pick<View, 'find' | 'get'>;
  readonly directory: Pick<Directory, 'claimedFor' | 'seenUnder'>;
  readonly counts: Pick<NumberCounts, 'suspectsAmong'>;
}

const namesForecast = ({ matchedBy }: ScanReading): boolean => matchedBy === 'label' || matchedBy === 'forecast_no';
const namesClaim = ({ matchedBy }: ScanReading): boolean => matchedBy === 'claimed_number';
const keyOf = ({ key }: ScanReading): string => key;

/** Forecasts that the warehouse has claimed the number for. */
async function claimedFor({ directory }: LookUpOptions, warehouseCode: string, text: string): Promise<readonly string[]> {
  return directory.claimedFor(warehouseCode, { text, number: normaliseTrackingNumber(text) }, MAX_CANDIDATES + 1);
}

/** What each reading of a scan finds. All are asked for at once, and of each no more than a page of candidates, whatever is stored. */
async function findAll(
  options: LookUpOptions,
  warehouseCode: string,
  readings: readonly ScanReading[],
): Promise<readonly (readonly SeenForecast[])[]> {
  const { view } = options;
  const named = readings.filter(namesForecast).map(keyOf);
  const keys = readings.filter((reading) => !namesForecast(reading) && !namesClaim(reading)).map(keyOf);
  const byNumbers = async () => {
    const claims = await Promise.all(readings.filter(namesClaim).map(({ key }) => claimedFor(options, warehouseCode, key)));
    const numbers = [...new Set([...named, ...claims.flat()])];
    const seen = new Map((await view.get(warehouseCode, numbers)).map((one) => [one.forecast.forecastNo, one]));
    return { claims: claims.flat(), seen };
  };
  const [{ claims, seen }, byKey] = await Promise.all([byNumbers(), view.find(warehouseCode, keys, MAX_CANDIDATES + 1)]);
  return readings.map((reading) => {
    if (namesClaim(reading)) return claims.flatMap((forecastNo) => seen.get(forecastNo) ?? []);
    if (!namesForecast(reading)) return byKey.get(reading.key) ?? [];
    const one = seen.get(reading.key);
    return one === undefined || (reading.poNumber !== undefined && one.forecast.poNumber !== reading.poNumber) ? [] : [one];
  });
}

/** One of many numbers of a parcel that has left: most likely it was never on the parcel (domain/match). */
const isLeftOver = ({ matchedBy, seen: { forecast } }: Found): boolean =>
  matchedBy === 'tracking_number' && !isLive(forecast.status) && (forecast.content?.trackingNumbers.length ?? 0) > 1;

/** Numbers of those that may have been guessed. The scan itself decides, not the status: one parcel that came says nothing of the other numbers. */
async function doubtfulAmong(
  { counts, directory }: LookUpOptions,
  warehouseCode: string,
  found: readonly Found[],
): Promise<ReadonlySet<string>> {
  const declared = found.filter((one) => one.declared !== undefined && one.seen.forecast.status !== forecastStatuses.CANCELLED);
  const suspected = await counts.suspectsAmong([...new Set(declared.map(({ seen }) => seen.forecast.tenantId))]);
  const guesses = declared.filter((one) => suspected.has(one.seen.forecast.tenantId) || isLeftOver(one));
  if (guesses.length === 0) return new Set();
  // All are the same text as it is compared.
  const number = guesses[0]?.declared ?? '';
  const forecastNos = guesses.map(({ seen }) => seen.forecast.forecastNo);
  const seenNos = await directory.seenUnder({ warehouseCode, number }, forecastNos);
  return new Set(forecastNos.filter((forecastNo) => !seenNos.has(forecastNo)));
}

/**
 * The forecasts of a warehouse that a scan may mean, each with the surest reason, expected and present parcels first.
 * @param accepts leaves out readings of the scan, before anything is searched
 * @throws AppError 50301 when the store is out
 */
export async function lookUp(
  options: LookUpOptions,
  warehouseCode: string,
  scan: string,
  accepts: (matchedBy: ScanMatch) => boolean = () => true,
): Promise<{ readonly candidates: readonly ScanCandidate[]; readonly hasMore: boolean }> {
  const readings = readingsOf(scan).filter(({ matchedBy }) => accepts(matchedBy));
  const all = await findAll(options, warehouseCode, readings);
  const candidates = new Map<string, Found>();
  readings.forEach(({ matchedBy, reason, declared }, index) => {
    for (const seen of all[index] ?? []) {
      const { forecastNo } = seen.forecast;
      if (!candidates.has(forecastNo)) candidates.set(forecastNo, { seen, matchedBy, reason, declared });
    }
  });
  const isExpected = ({ seen }: Pick<ScanCandidate, 'seen'>): boolean => isLive(seen.forecast.status);
  const found = [...candidates.values()];
  const doubtful = await doubtfulAmong(options, warehouseCode, found);
  const inOrder = found.map(
    ({ seen, matchedBy, reason }): ScanCandidate => ({ seen, matchedBy, reason, isDoubtful: doubtful.has(seen.forecast.forecastNo) }),
  );
  const sorted = [...inOrder.filter(isExpected), ...inOrder.filter((candidate) => !isExpected(candidate))];
  return { candidates: sorted.slice(0, MAX_CANDIDATES), hasMore: sorted.length > MAX_CANDIDATES };
}
