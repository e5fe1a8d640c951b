import { type EncodedMessage, encodeEvent } from '@parcelway/contracts/encode-event';
import { withOutbox } from '@parcelway/mongo/mongo-outbox';
import { type DirectoryForecast, endsStay, type IntakeEvent, scannedNumberOf } from '../domain/event.ts';
import { type Occasion, publicationOf } from '../domain/publication.ts';
import type { DirectoryChanges } from './mongo-directory.ts';
import type { NamedNumber } from './mongo-directory-updates.ts';
import type { StoredEvent } from './mongo-event-log.ts';
import type { EventDocument } from './mongo-schema.ts';

/** The fields of a published event: for whom, and what that changes in the directory. */
type PublishedFields = Required<Pick<EventDocument, 'published_to'>> &
  Pick<EventDocument, 'claims_number' | 'ends_stay' | 'resolution' | 'unfinished_since'>;

/** What published events change in the directory, one set after the other. */
export interface Consequences extends DirectoryChanges {
  /** Numbers of which the warehouse has said whose parcel they are on: events may wait for that. */
  readonly named: readonly NamedNumber[];
}

/** The message that publishes an event. The id of the occasion is that of the event's document. */
export function messageOf(event: IntakeEvent, forecast: DirectoryForecast, occasion: Occasion): EncodedMessage {
  return encodeEvent(publicationOf(event, forecast, occasion));
}

/**
 * What a published event is stored with.
 * @param claims it says whose parcel its scanned number is on, see BatchMatch
 * @param now epoch milliseconds
 */
export function publishedFields(event: IntakeEvent, forecast: DirectoryForecast, claims: boolean, now: number): PublishedFields {
  const ends = endsStay(event, forecast);
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

/**
 * What published events change in the directory, in sets to be written one after the other: a new one begins where a
 * number is claimed for the second time. That is one set, but for parcels that left and came under one number in a call.
 */
export function consequencesOf(done: readonly StoredEvent[]): readonly Consequences[] {
  const open = () => ({ claims: [] as NamedNumber[], named: [] as NamedNumber[], ended: [] as string[] });
  const sets = [open()];
  for (const { event: text, published_to: forecastNo, claims_number: claims, ends_stay: ends } of done) {
    if (forecastNo === undefined) continue;
    const event = JSON.parse(text) as IntakeEvent;
    const number = claims ? scannedNumberOf(event) : null;
    if (number !== null && sets.at(-1)?.claims.some((claim) => claim.number === number)) sets.push(open());
    const current = sets.at(-1) as ReturnType<typeof open>;
    if (number !== null) {
      const named = { warehouseCode: event.warehouseCode, number, forecastNo };
      current.claims.push(named);
      if (event.forecastNo !== null) current.named.push(named);
    }
    if (ends) current.ended.push(forecastNo);
  }
  return sets;
}
