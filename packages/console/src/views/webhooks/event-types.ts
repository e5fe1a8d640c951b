import type { OptInEventType, SentEventType, StandardEventType, TenantEventType } from '@parcelway/contracts/webhook-event-types';

/** Names every member of a union of texts: one that is missing does not compile. */
const membersOf = <Name extends string>(names: Readonly<Record<Name, true>>): readonly Name[] => Object.keys(names) as Name[];

/** Types that a new endpoint receives unless others are chosen. The schemas of the contracts stay out of the page; their types hold it to them. */
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

/** What the feed is asked for. @param choice a type, {@link ALL_TYPES}, or empty for the types that the feed shows unasked */
export function askedTypes(choice: string): string {
  return choice === ALL_TYPES ? feedTypes.join(',') : choice;
}
