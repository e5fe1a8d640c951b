import { isOptInType, type SentEventType } from '@parcelway/contracts/webhook-event-types';

/**
 * The events of a tenant form two streams, each numbered and stored by itself: the types that everybody gets, and those that have
 * to be named. So readers of the first neither see the others nor pass over them.
 */
export type EventStream = 'standard' | 'opt_in';

/** The stream that events of a type are in. */
export function streamOf(type: SentEventType): EventStream {
  return isOptInType(type) ? 'opt_in' : 'standard';
}

/** The streams that hold some types. @param types null for those that are shown unless others are named */
export function streamsOf(types: readonly SentEventType[] | null): readonly EventStream[] {
  return types === null ? ['standard'] : [...new Set(types.map(streamOf))];
}
