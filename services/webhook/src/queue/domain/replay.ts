import type { ReplayChoice } from '@parcelway/contracts/webhook-delivery-api';
import type { SentEventType } from '@parcelway/contracts/webhook-event-types';
import type { DeliveryStatus } from '../../intake/domain/delivery.ts';

/** Which events of a time range a replay is to make due. */
export interface ReplayWish {
  readonly types: readonly SentEventType[];
  readonly only: ReplayChoice;
  /** Says of an event of one of the types whether the endpoint wants it. */
  readonly matches: (body: string) => boolean;
}

/**
 * True when a replay is to make an event due, in flight or not. Its body is looked at last.
 * @param status of its delivery; undefined when it has none
 */
export function isChosen(
  event: { readonly type: SentEventType; readonly body: string },
  status: DeliveryStatus | undefined,
  { types, only, matches }: ReplayWish,
): boolean {
  if (!types.includes(event.type)) return false;
  if (only === 'failed' ? status !== 'failed' : only === 'undelivered' && status === 'succeeded') return false;
  return matches(event.body);
}
