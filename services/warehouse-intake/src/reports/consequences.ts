import type { ExpectedChanges } from '../expected/directory-store.ts';
import { finishedEntry, parcelSeen } from '../expected/domain/directory.ts';
import type { NamedNumber, NamingEvent } from '../expected/domain/named-number.ts';
import { eventIn, type StoredEvent } from './waiting-events.ts';

/** What published events change in the directory, one set after the other. */
export interface Consequences {
  /** Numbers that are on the parcel of a forecast from now on. */
  readonly claims: readonly NamedNumber[];
  /** Those of which the warehouse has said whose parcel they are on: events may wait for that. */
  readonly named: readonly NamingEvent[];
  /** Forecasts whose parcel has left the warehouse. */
  readonly ended: readonly string[];
}

/** What claims and ends make of the entries of their forecasts. @param at epoch milliseconds */
export function changesBy({ claims, ended }: Pick<Consequences, 'claims' | 'ended'>, at: number): ExpectedChanges {
  const left = new Set(ended);
  const byForecast = new Map<string, NamedNumber[]>(ended.map((forecastNo) => [forecastNo, []]));
  for (const claim of claims) byForecast.set(claim.forecastNo, [...(byForecast.get(claim.forecastNo) ?? []), claim]);
  return new Map(
    [...byForecast].map(([forecastNo, numbers]) => [
      forecastNo,
      {
        entry(entry) {
          const seen = entry && numbers.reduce(parcelSeen, entry);
          return seen && left.has(forecastNo) ? finishedEntry(seen, at) : seen;
        },
      },
    ]),
  );
}

/**
 * What published events change in the directory, in sets to be written one after the other: a new one begins where a
 * number is claimed for the second time. That is one set, but for parcels that left and came under one number in a call.
 */
export function consequencesOf(done: readonly StoredEvent[]): readonly Consequences[] {
  const open = () => ({ claims: [] as NamedNumber[], named: [] as NamingEvent[], ended: [] as string[] });
  const sets = [open()];
  for (const stored of done) {
    const { publishedTo: forecastNo, claimsNumber, endsStay, id, receivedAt, unfinishedSince } = stored.value;
    if (forecastNo === undefined) continue;
    const event = eventIn(stored);
    const number = claimsNumber ? event.scannedNumber : null;
    if (number !== null && sets.at(-1)?.claims.some((claim) => claim.number === number)) sets.push(open());
    const current = sets.at(-1) as ReturnType<typeof open>;
    if (number !== null) {
      const named = { warehouseCode: event.warehouseCode, number, forecastNo };
      current.claims.push(named);
      if (event.forecastNo !== null) current.named.push({ ...named, id, receivedAt, publishedAt: unfinishedSince ?? receivedAt });
    }
    if (endsStay) current.ended.push(forecastNo);
  }
  return sets;
}
