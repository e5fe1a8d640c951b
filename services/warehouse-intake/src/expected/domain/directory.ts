import { isLogisticsNumber } from '@parcelway/contracts/tracking-number';
import { type AcceptedForecast, type CorrectedForecast, type DirectoryForecast, poKey, scannedForm } from './event.ts';
import type { WaitingNumber } from './resolution.ts';

/*
 * What each fact changes in the directory of forecasts. Every function returns the entry that it was given when nothing changes, so repeating a
 * fact is free. Known facts are never undone: a complete entry stays complete, a cancelled one cancelled, a finished one finished.
 */

/** A number scanned at a warehouse, normalised. */
export interface ScannedNumber {
  readonly warehouseCode: string;
  readonly number: string;
}

/** A number that a warehouse has claimed for a forecast. */
export interface ClaimedNumber {
  readonly number: string;
  /** Rises from one claim to the next: of two for one number the later holds. */
  readonly by: string;
}

/** A forecast as the directory stores it. */
export interface DirectoryEntry {
  readonly forecastNo: string;
  /** Null while only the cancellation is known. */
  readonly forecast: DirectoryForecast | null;
  /** Version of the forecast that the entry follows; 1 before the first correction. */
  readonly version: number;
  /** Numbers that lead to it at its warehouse, and its poKey. None once it is cancelled. */
  readonly numbers: readonly string[];
  /** Those of the numbers under which an event went to it. */
  readonly claimed: readonly string[];
  /** Those of the numbers that the warehouse has claimed for it, each with its latest claim. */
  readonly assigned: readonly ClaimedNumber[];
  /** Forecast numbers that lead nowhere and that the warehouse has claimed for it, each with its latest claim. */
  readonly aliases: readonly ClaimedNumber[];
  /** Numbers that led to it and whose waiting events have not all been matched again. */
  readonly released: readonly ScannedNumber[];
  /** Epoch milliseconds; null while it is not cancelled. */
  readonly cancelledAt: number | null;
  /** Epoch milliseconds at which an event ended the parcel's stay; null while it is expected or here. */
  readonly finishedAt: number | null;
}

/** What a fact makes of an entry; undefined where there is none. */
export type DirectoryChange = (entry: DirectoryEntry | undefined) => DirectoryEntry | undefined;

function emptyEntry(forecastNo: string): DirectoryEntry {
  return {
    forecastNo,
    forecast: null,
    version: 1,
    numbers: [],
    claimed: [],
    assigned: [],
    aliases: [],
    released: [],
    cancelledAt: null,
    finishedAt: null,
  };
}

/** The numbers of the directory that a forecast brings. A po_number that no logistics number is like needs no key. */
export function numbersOf({ trackingNumbers, poNumber }: AcceptedForecast): readonly string[] {
  return isLogisticsNumber(poNumber) ? [...trackingNumbers, poKey(poNumber)] : trackingNumbers;
}

/** After its acceptance. One of which only the cancellation was known gets no numbers. */
export function acceptedEntry(entry: DirectoryEntry | undefined, accepted: AcceptedForecast): DirectoryEntry {
  if (entry !== undefined && entry.forecast !== null) return entry;
  const { forecastNo, tenantId, environment, warehouseCode, forecastType } = accepted;
  const base = entry ?? emptyEntry(forecastNo);
  const forecast = { forecastNo, tenantId, environment, warehouseCode, forecastType };
  return { ...base, forecast, numbers: base.cancelledAt === null ? numbersOf(accepted) : [] };
}

/**
 * After a correction. Adds a forecast whose acceptance was not seen. A version that is not newer than the known one changes nothing. If events of the
 * parcel came before the correction, the numbers on it and its warehouse stay, whatever the merchant declares now.
 */
export function correctedEntry(before: DirectoryEntry | undefined, corrected: CorrectedForecast): DirectoryEntry {
  const entry = acceptedEntry(before, corrected);
  if (entry.cancelledAt !== null || corrected.version <= entry.version) return entry;
  const forecast = entry.forecast as DirectoryForecast;
  const onParcel = [...entry.claimed, ...entry.assigned.map(({ number }) => number)];
  const warehouseCode = onParcel.length > 0 ? forecast.warehouseCode : corrected.warehouseCode;
  const numbers = [...new Set([...numbersOf(corrected), ...onParcel])];
  const lead = new Set(warehouseCode === forecast.warehouseCode ? numbers : []);
  const freed = entry.numbers.filter((number) => !lead.has(number));
  return {
    ...entry,
    forecast: { ...forecast, warehouseCode },
    version: corrected.version,
    numbers,
    released: [...entry.released, ...freed.map((number) => ({ warehouseCode: forecast.warehouseCode, number: scannedForm(number) }))],
  };
}

/** After its cancellation: no number leads to it any more. @param at epoch milliseconds */
export function cancelledEntry(before: DirectoryEntry | undefined, forecastNo: string, at: number): DirectoryEntry {
  const entry = before ?? emptyEntry(forecastNo);
  if (entry.cancelledAt !== null) return entry;
  const warehouseCode = entry.forecast?.warehouseCode;
  const freed = warehouseCode === undefined ? [] : entry.numbers.map((number) => ({ warehouseCode, number: scannedForm(number) }));
  return {
    ...entry,
    cancelledAt: at,
    numbers: [],
    claimed: [],
    assigned: [],
    aliases: [],
    released: [...entry.released, ...freed],
  };
}

/** After the events under some of its released numbers have been matched again. */
export function settledEntry(entry: DirectoryEntry, settled: readonly ScannedNumber[]): DirectoryEntry {
  const done = new Set(settled.map(({ warehouseCode, number }) => `${warehouseCode} ${number}`));
  const released = entry.released.filter(({ warehouseCode, number }) => !done.has(`${warehouseCode} ${number}`));
  return released.length === entry.released.length ? entry : { ...entry, released };
}

/**
 * After an event under a number went to it: the number is on its parcel. A correction that was followed between the event and this takes neither
 * the number nor the warehouse away: a forecast whose parcel nobody had seen is where the parcel is.
 */
export function parcelSeen(entry: DirectoryEntry, { warehouseCode, number }: ScannedNumber): DirectoryEntry {
  const { forecast, cancelledAt, numbers, claimed, assigned } = entry;
  if (forecast === null || cancelledAt !== null) return entry;
  const isSeen = claimed.length + assigned.length > 0;
  const at = isSeen ? forecast.warehouseCode : warehouseCode;
  if (at === forecast.warehouseCode && numbers.includes(number) && claimed.includes(number)) return entry;
  return {
    ...entry,
    forecast: at === forecast.warehouseCode ? forecast : { ...forecast, warehouseCode: at },
    numbers: numbers.includes(number) ? numbers : [...numbers, number],
    claimed: claimed.includes(number) ? claimed : [...claimed, number],
  };
}

/** True when the number leads to the forecast at that warehouse. */
export function leadsTo(entry: DirectoryEntry, { warehouseCode, number }: ScannedNumber): boolean {
  return entry.forecast?.warehouseCode === warehouseCode && entry.numbers.includes(number);
}

/** After an event has ended the parcel's stay. @param at epoch milliseconds */
export function finishedEntry(entry: DirectoryEntry, at: number): DirectoryEntry {
  return entry.finishedAt === null ? { ...entry, finishedAt: at } : entry;
}

/** With a claim of a number; of two claims of one number the later holds. The list as it was when a later one is known. */
function withClaim(claims: readonly ClaimedNumber[], claim: ClaimedNumber): readonly ClaimedNumber[] {
  const earlier = claims.filter(({ number }) => number === claim.number);
  if (earlier.some(({ by }) => by >= claim.by)) return claims;
  return [...claims.filter(({ number }) => number !== claim.number), claim];
}

/**
 * After the warehouse has claimed a number for it: what comes under the number from now on is for this forecast.
 * @param by id of the resolution; rises from one claim to the next
 */
export function assignedEntry(entry: DirectoryEntry, { kind, warehouseCode, number }: WaitingNumber, by: string): DirectoryEntry {
  if (entry.forecast === null || entry.cancelledAt !== null) return entry;
  if (kind === 'named') {
    const aliases = withClaim(entry.aliases, { number, by });
    return aliases === entry.aliases ? entry : { ...entry, aliases };
  }
  const seen = parcelSeen(entry, { warehouseCode, number });
  const assigned = withClaim(seen.assigned, { number, by });
  return assigned === seen.assigned ? seen : { ...seen, assigned };
}
