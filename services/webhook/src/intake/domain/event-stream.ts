import { isOptInType, type SentEventType } from '@parcelway/contracts/webhook-event-types';

/**
 * The events of a tenant form two streams, each numbered and stored by itself: the types that everybody gets, and those that have
 * to be named. So readers of the first neither see the others nor pass over them.
 */
export type EventStream = 'standard' | 'opt_in';

export function streamOf(type: SentEventType): EventStream {
  return isOptInType(type) ? 'opt_in' : 'standard';
}

/** The streams that hold some types. @param types null for those that are shown unless others are named */
export function streamsOf(types: readonly SentEventType[] | null): readonly EventStream[] {
  return types === null ? ['standard'] : [...new Set(types.map(streamOf))];
}

/** True for a type whose event is always the first of a parcel in its stream, unless it comes again. */
export const startsStream = (type: SentEventType): boolean => type === 'forecast.accepted';

/** A parcel's events in one stream: they are numbered from 1, without a gap. */
export interface NumberedParcel {
  readonly tenantId: string;
  readonly forecastNo: string;
  readonly stream: EventStream;
}

/** The parcel of an event in the stream of its type. */
export function parcelOf(tenantId: string, forecastNo: string, type: SentEventType): NumberedParcel {
  return { tenantId, forecastNo, stream: streamOf(type) };
}

/** The key of a parcel in maps, over all tenants. Neither part contains a line break. */
export const parcelText = ({ tenantId, forecastNo, stream }: NumberedParcel): string => `${tenantId}\n${forecastNo}\n${stream}`;
