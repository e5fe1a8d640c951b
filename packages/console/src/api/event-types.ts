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

/** Types that a new endpoint form preselects, including exceptions: these wait for the merchant. */
export const preselectedTypes: readonly TenantEventType[] = [...standardTypes, 'parcel.exception'];
export const subscribableTypes: readonly TenantEventType[] = [...standardTypes, ...optInTypes];
/** Types that a test event can have, the default first. */
export const testableTypes: readonly Exclude<SentEventType, 'endpoint.disabled'>[] = ['endpoint.test', ...subscribableTypes];
export const feedTypes: readonly Exclude<SentEventType, 'endpoint.test'>[] = [...subscribableTypes, 'endpoint.disabled'];
/** Stands for the types that the feed returns by default. */
export const STANDARD_TYPES = 'standard';

/** The `types` of a query of the feed. @param choice a type, {@link STANDARD_TYPES}, or empty for every type */
export function askedTypes(choice: string): string {
  if (choice === '') return feedTypes.join(',');
  return choice === STANDARD_TYPES ? '' : choice;
}
