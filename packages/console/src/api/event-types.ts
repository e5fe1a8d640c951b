import type { OptInEventType, SentEventType, StandardEventType, TenantEventType } from '@parcelway/contracts/webhook-event-types';
import { membersOf } from '@parcelway/page/members-of';

/** Types that a new endpoint receives unless others are chosen. */
export const standardTypes = membersOf<StandardEventType>({ 'parcel.weighed': true, 'tracking.changed': true });

const optInTypes = membersOf<OptInEventType>({
  'forecast.accepted': true,
  'forecast.corrected': true,
  'forecast.cancelled': true,
  'parcel.arrived': true,
  'parcel.photographed': true,
  'parcel.put_away': true,
  'parcel.dispatched': true,
  'parcel.completed': true,
  'parcel.exception': true,
});

/** Types that an endpoint can subscribe to. */
export const subscribableTypes: readonly TenantEventType[] = [...standardTypes, ...optInTypes];

/** Types that a test event can have, the default first. */
export const testableTypes: readonly Exclude<SentEventType, 'endpoint.disabled'>[] = ['endpoint.test', ...subscribableTypes];

/** Types that the feed of events can be narrowed to. */
export const feedTypes: readonly Exclude<SentEventType, 'endpoint.test'>[] = [...subscribableTypes, 'endpoint.disabled'];

/** Stands for every type of the feed where one may be chosen. */
export const ALL_TYPES = 'all';

/** The `types` of a query of the feed. @param choice a type, {@link ALL_TYPES}, or empty for the types that the feed shows by default */
export function askedTypes(choice: string): string {
  return choice === ALL_TYPES ? feedTypes.join(',') : choice;
}
