import type { EncodedMessage } from '@parcelway/contracts/encode-event';
import type { Update } from '@parcelway/mongo/mongo-outbox-fields';
import type { ContentChange, ForecastWrite } from '../domain/known-forecast.ts';
import { toStoredSummary } from './stored-summary.ts';

/**
 * Forecasts with more claims are written one after the other. Before 7.0, MongoDB passes by every key that others are
 * just adding, again for each key that it adds itself: of 2000 claims each, two at once take thirty times as long as two
 * in turn. With a hundred it makes no difference.
 */
export const MANY_CLAIMS = 100;
/** Where they wait for their turn. */
export const MANY = 'many claims';

/**
 * The ids of so many events are remembered of a forecast, the latest. Far above what happens to any parcel, and it
 * keeps a warehouse that reports without end from filling the document.
 */
const MAX_APPLIED = 5000;

/** Of so many scans the numbers are kept. */
const MAX_SCANNED = 500;

/** The one update of a write, without its messages. */
export function updateOf({
  state,
  content,
  terms,
  receivedItems,
  releases,
  applied,
  scanned = [],
  updatedAt,
}: ForecastWrite<EncodedMessage>): Update {
  const marks = applied.map(({ eventId, type }) => ({ id: eventId, type, at: updatedAt }));
  const claims = content?.claims ?? null;
  const losesClaims = releases.claims || claims?.length === 0;
  return {
    $set: {
      updated_at: updatedAt,
      ...(state && { status: state.status, progress: state.progress }),
      ...(receivedItems && { received_items: JSON.stringify(receivedItems) }),
      ...(content && contentFields(content)),
      ...(claims !== null && !losesClaims && { claims }),
      ...(terms?.all && { terms: terms.all }),
    },
    $inc: { version: 1 },
    ...(marks.length > 0 && {
      $push: {
        applied: { $each: marks, $slice: -MAX_APPLIED },
        ...(scanned.length > 0 && { scanned: { $each: scanned, $slice: -MAX_SCANNED } }),
      },
    }),
    ...(terms !== undefined && terms.all === undefined && { $addToSet: { terms: { $each: terms.added } } }),
    ...(losesClaims && { $unset: { claims: '' } }),
    // The database's clock, the same for all who write: cancelled forecasts of one po_number stay in their order.
    ...(releases.poNumber && { $currentDate: { held_until: true } }),
  };
}

function contentFields(content: ContentChange): object {
  return {
    content: content.content,
    content_hash: content.contentHash,
    content_version: content.contentVersion,
    corrections: content.corrections,
    ...toStoredSummary(content),
  };
}

/** Projection of those claims that are among the numbers. As a literal, because a number may begin with a dollar sign. */
export function claimsAmong(numbers: readonly string[]): object {
  return { claims: { $setIntersection: ['$claims', { $literal: numbers }] } };
}

/** Projection of the ids of applied events that are among those given. */
export function appliedAmong(eventIds: readonly string[]): object {
  return { applied_among: { $setIntersection: ['$applied.id', { $literal: eventIds }] } };
}
