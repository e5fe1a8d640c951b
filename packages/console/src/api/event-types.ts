import {
  feedEventTypes,
  standardEventTypes,
  TEST_EVENT_TYPE,
  type TenantEventType,
  tenantEventTypes,
} from '@parcelway/contracts/webhook-event-types';

/** Types that a new endpoint form preselects, including exceptions: these wait for the merchant. */
export const preselectedTypes: readonly TenantEventType[] = [...standardEventTypes, 'parcel.exception'];
/** Types that a test event can have, the default first. */
export const testableTypes = [TEST_EVENT_TYPE, ...tenantEventTypes] as const;
/** Stands for the types that the feed returns by default. */
export const STANDARD_TYPES = 'standard';

/** The `types` of a query of the feed. @param choice a type, {@link STANDARD_TYPES}, or empty for every type */
export function askedTypes(choice: string): string {
  if (choice === '') return feedEventTypes.join(',');
  return choice === STANDARD_TYPES ? '' : choice;
}
