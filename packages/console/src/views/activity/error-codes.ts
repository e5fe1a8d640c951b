import type { FailedCallsQuery } from '@parcelway/contracts/activity-api';
import { membersOf } from '@parcelway/page/members-of';

/** Codes of failures, in ascending order. */
export const errorCodes = membersOf<NonNullable<FailedCallsQuery['code']>>({
  '40001': true,
  '40002': true,
  '40003': true,
  '40101': true,
  '40301': true,
  '40302': true,
  '40401': true,
  '40402': true,
  '40403': true,
  '40501': true,
  '40901': true,
  '40902': true,
  '41201': true,
  '41301': true,
  '41501': true,
  '42201': true,
  '42202': true,
  '42203': true,
  '42204': true,
  '42205': true,
  '42206': true,
  '42207': true,
  '42901': true,
  '50000': true,
  '50001': true,
  '50301': true,
});
