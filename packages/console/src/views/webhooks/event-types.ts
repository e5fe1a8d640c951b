import type { SentEventType, TenantEventType } from '@parcelway/contracts/webhook-event-types';

/** Names every member of a union of texts: one that is missing does not compile. */
const membersOf = <Name extends string>(names: Readonly<Record<Name, true>>): readonly Name[] => Object.keys(names) as Name[];

/** Types that an endpoint can subscribe to. The schemas of the contracts stay out of the page; their types hold it to them. */
export const subscribableTypes = membersOf<TenantEventType>({ 'parcel.weighed': true, 'tracking.changed': true });

/** Types that a test event can have, the default first. */
export const testableTypes = membersOf<Exclude<SentEventType, 'endpoint.disabled'>>({
  'endpoint.test': true,
  'parcel.weighed': true,
  'tracking.changed': true,
});

/** Types that the feed of events can be narrowed to. */
export const feedTypes = membersOf<Exclude<SentEventType, 'endpoint.test'>>({
  'parcel.weighed': true,
  'tracking.changed': true,
  'endpoint.disabled': true,
});
