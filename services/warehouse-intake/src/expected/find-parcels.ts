import { MAX_FOUND_PARCELS, type ParcelMatch, parcelMatches } from '@parcelway/contracts/parcel-search-api';
import type { EventKey } from './domain/event.ts';
import { type LookUpOptions, lookUp } from './read-view.ts';

export interface FindParcelsOptions extends LookUpOptions {
  readonly outcomes: { outcomeOf(key: EventKey): Promise<{ readonly forecastNo: string | null } | undefined> };
}

export interface FoundParcel {
  readonly tenantId: string;
  readonly forecastNo: string;
  readonly warehouseCode: string;
  readonly matchedBy: ParcelMatch;
}

/** Warehouses that are searched at the same time. */
const AT_ONCE = 8;

const isExact = (match: string): match is ParcelMatch => (parcelMatches as readonly string[]).includes(match);

/** The forecast that the report with this id was applied to. */
async function reportedAs({ outcomes, view }: FindParcelsOptions, warehouseCode: string, eventId: string): Promise<readonly FoundParcel[]> {
  const outcome = await outcomes.outcomeOf({ warehouseCode, eventId });
  const forecastNo = outcome?.forecastNo ?? null;
  if (forecastNo === null) return [];
  const found = await view.get(warehouseCode, [forecastNo]);
  return found.map(({ forecast: { tenantId } }) => ({ tenantId, forecastNo, warehouseCode, matchedBy: 'event_id' }));
}

async function findAt(options: FindParcelsOptions, warehouseCode: string, number: string): Promise<readonly FoundParcel[]> {
  const [{ candidates }, reported] = await Promise.all([
    lookUp(options, warehouseCode, number, isExact),
    reportedAs(options, warehouseCode, number),
  ]);
  const named = candidates.map(({ seen: { forecast }, matchedBy }) => ({
    tenantId: forecast.tenantId,
    forecastNo: forecast.forecastNo,
    warehouseCode,
    matchedBy: matchedBy as ParcelMatch,
  }));
  const known = new Set(named.map(({ forecastNo }) => forecastNo));
  return [...named, ...reported.filter(({ forecastNo }) => !known.has(forecastNo))];
}

/**
 * The parcels that have exactly this number, of all tenants, at some warehouses. What is in a parcel is not searched.
 * @returns at most {@link MAX_FOUND_PARCELS}; of each warehouse the expected and present ones first
 * @throws AppError 50301 when the store is out
 */
export async function findParcels(
  options: FindParcelsOptions,
  number: string,
  warehouseCodes: readonly string[],
): Promise<{ readonly parcels: readonly FoundParcel[]; readonly hasMore: boolean }> {
  const found: FoundParcel[] = [];
  for (let from = 0; from < warehouseCodes.length && found.length <= MAX_FOUND_PARCELS; from += AT_ONCE) {
    const some = warehouseCodes.slice(from, from + AT_ONCE);
    found.push(...(await Promise.all(some.map((code) => findAt(options, code, number)))).flat());
  }
  return { parcels: found.slice(0, MAX_FOUND_PARCELS), hasMore: found.length > MAX_FOUND_PARCELS };
}
