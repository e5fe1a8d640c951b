import { instantOf } from '../../domain/node.ts';
import type { AskedParcel, QueryResult } from '../source.ts';
import { SourceRefusal } from '../source-refusal.ts';
import { fieldsOf } from './response.ts';
import { translateAfterShip } from './translation.ts';

type Tracking = Readonly<Record<string, unknown>>;

/** What `GET /trackings` says of the numbers that it was asked for. */
export interface TrackingList {
  readonly trackings: readonly Tracking[];
  /** False when some trackings were not read: then nothing follows from a number that is missing. */
  readonly isComplete: boolean;
}

/** One page of `GET /trackings`. */
interface Page extends TrackingList {
  /** Cursor of the next page; undefined at the end. */
  readonly nextCursor: string | undefined;
}

/** AfterShip stores numbers in upper case. */
const normalised = (number: unknown): string => (typeof number === 'string' ? number.trim().toUpperCase() : '');

/** Reads the `data` of a page. @throws SourceRefusal when it holds no trackings */
export function readPage(data: unknown): Page {
  const { trackings: listed, pagination } = fieldsOf(data);
  if (!Array.isArray(listed)) throw new SourceRefusal('wrong response', 'The response has no list of trackings');
  const trackings = listed.map(fieldsOf).filter((tracking) => normalised(tracking['tracking_number']) !== '');
  const cursor = fieldsOf(pagination)['next_cursor'];
  return {
    trackings,
    isComplete: trackings.length === listed.length,
    nextCursor: typeof cursor === 'string' && cursor !== '' ? cursor : undefined,
  };
}

/** Instant of the newest checkpoint that has a time; the smallest number when none has. */
function newestInstant(tracking: Tracking, parcel: AskedParcel): number {
  try {
    const { nodes } = translateAfterShip(tracking, parcel);
    return nodes.reduce(
      (newest, { createTime, times }) => Math.max(newest, instantOf(createTime, times) ?? newest),
      Number.NEGATIVE_INFINITY,
    );
  } catch {
    // Its translation fails again, with the reason, when no other tracking of the number is better.
    return Number.NEGATIVE_INFINITY;
  }
}

/** The parcel's tracking: the one that we registered, or else the one with the newest checkpoint. A number under two slugs is two trackings. */
function trackingOf(parcel: AskedParcel, trackings: readonly Tracking[]): Tracking | undefined {
  const [first, ...others] = trackings;
  if (first === undefined || others.length === 0) return first;
  const ours = trackings.find(
    ({ id, legacy_id }) => parcel.reference !== null && (id === parcel.reference || legacy_id === parcel.reference),
  );
  if (ours !== undefined) return ours;
  const rated = trackings.map((tracking) => ({ tracking, instant: newestInstant(tracking, parcel) }));
  return rated.reduce((best, one) => (one.instant > best.instant ? one : best)).tracking;
}

function hasNoCheckpoint(tracking: Tracking): boolean {
  const checkpoints = tracking['checkpoints'] ?? [];
  return Array.isArray(checkpoints) && checkpoints.length === 0;
}

/** What a list says of one parcel. AfterShip lists what was registered, so a number that is missing is not registered. */
export function resultOf(parcel: AskedParcel, { trackings, isComplete }: TrackingList): QueryResult {
  const number = normalised(parcel.trackingNumber);
  const tracking = trackingOf(
    parcel,
    trackings.filter((one) => normalised(one['tracking_number']) === number),
  );
  if (tracking === undefined) return { kind: isComplete ? 'not registered' : 'no news' };
  return hasNoCheckpoint(tracking) ? { kind: 'no news' } : { kind: 'trace', raw: tracking };
}
