import { type EncodedMessage, encodeEvent } from '@parcelway/contracts/encode-event';
import { withOutbox } from '@parcelway/mongo/mongo-outbox-fields';
import type { DirectoryChanges } from '../../expected/adapters/mongo-directory.ts';
import type { EventDocument } from '../../expected/adapters/mongo-schema.ts';
import { finishedEntry, parcelSeen } from '../../expected/domain/directory.ts';
import { storedEvent } from '../../expected/domain/event.ts';
import type { NamedNumber, NamingEvent } from '../../expected/domain/named-number.ts';
import type { Publication } from '../domain/decide-waiting.ts';
import { type Occasion, publicationOf } from '../domain/publication.ts';
import type { StoredEvent } from './mongo-event-log.ts';

/** The fields of a published event: for whom, and what that changes in the directory. */
type PublishedFields = Required<Pick<EventDocument, 'published_to'>> &
  Pick<EventDocument, 'claims_number' | 'ends_stay' | 'resolution' | 'unfinished_since'>;

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
export function changesBy({ claims, ended }: Pick<Consequences, 'claims' | 'ended'>, at: number): DirectoryChanges {
  const left = new Set(ended);
  const byForecast = new Map<string, NamedNumber[]>(ended.map((forecastNo) => [forecastNo, []]));
  for (const claim of claims) byForecast.set(claim.forecastNo, [...(byForecast.get(claim.forecastNo) ?? []), claim]);
  return new Map(
    [...byForecast].map(([forecastNo, numbers]) => [
      forecastNo,
      (entry) => {
        const seen = entry && numbers.reduce(parcelSeen, entry);
        return seen && left.has(forecastNo) ? finishedEntry(seen, at) : seen;
      },
    ]),
  );
}

/** The message that publishes an event. */
export function messageOf({ event, forecast }: Publication, occasion: Occasion): EncodedMessage {
  return encodeEvent(publicationOf(event, forecast, occasion));
}

/** What a published event is stored with. @param now epoch milliseconds */
export function publishedFields({ forecast, claims, ends }: Publication, now: number): PublishedFields {
  return {
    published_to: forecast.forecastNo,
    ...(claims && { claims_number: true }),
    ...(ends && { ends_stay: true }),
    ...((claims || ends) && { unfinished_since: now }),
  };
}

/** The update by which a waiting event becomes a published one. @param at time of its message, see WriteTimes */
export function publicationUpdate(fields: PublishedFields, message: EncodedMessage, at: number): object {
  const concluded = fields.unfinished_since === undefined;
  return withOutbox({ $set: fields, $unset: { waiting: '', ...(concluded && { unfinished_since: '' }) } }, [message], at);
}

function placeOf({ _id: id, received_at: receivedAt, unfinished_since: publishedAt }: StoredEvent): Omit<NamingEvent, keyof NamedNumber> {
  return { id, receivedAt, publishedAt: publishedAt ?? receivedAt };
}

/**
 * What published events change in the directory, in sets to be written one after the other: a new one begins where a
 * number is claimed for the second time. That is one set, but for parcels that left and came under one number in a call.
 */
export function consequencesOf(done: readonly StoredEvent[]): readonly Consequences[] {
  const open = () => ({ claims: [] as NamedNumber[], named: [] as NamingEvent[], ended: [] as string[] });
  const sets = [open()];
  for (const stored of done) {
    const { event: text, published_to: forecastNo, claims_number: claims, ends_stay: ends } = stored;
    if (forecastNo === undefined) continue;
    const event = storedEvent(text);
    const number = claims ? event.scannedNumber : null;
    if (number !== null && sets.at(-1)?.claims.some((claim) => claim.number === number)) sets.push(open());
    const current = sets.at(-1) as ReturnType<typeof open>;
    if (number !== null) {
      const named = { warehouseCode: event.warehouseCode, number, forecastNo };
      current.claims.push(named);
      if (event.forecastNo !== null) current.named.push({ ...named, ...placeOf(stored) });
    }
    if (ends) current.ended.push(forecastNo);
  }
  return sets;
}
