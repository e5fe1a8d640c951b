import { type AdminStatus, isTerminalAdminStatus } from '@parcelway/contracts/admin-status';
import { createDomainEvent, type DomainEvent } from '@parcelway/contracts/cloud-event';
import type { Environment } from '@parcelway/contracts/environment';
import { isoInstant } from '@parcelway/kernel/clock';
import type { CarrierNode } from './node.ts';
import type { Shipment } from './shipment.ts';

/** A change that the tenant is to hear of. */
export interface StatusChange {
  readonly previous: AdminStatus | '';
  readonly current: AdminStatus;
  readonly isTerminal: boolean;
}

/**
 * The change that a history makes: the newest node's admin_status differs from the one published last. That holds after a
 * final status too: a carrier that corrects itself is a change.
 * @param newest undefined when there is no node
 */
export function changeOf(
  publishedStatus: AdminStatus | '',
  newest: Pick<CarrierNode, 'adminStatus'> | undefined,
): StatusChange | undefined {
  const current = newest?.adminStatus;
  if (current === undefined || current === publishedStatus) return undefined;
  return { previous: publishedStatus, current, isTerminal: isTerminalAdminStatus(current) };
}

/** What a change does to the watch. */
export type WatchEffect = 'ends' | 'resumes' | 'goes on';

/**
 * A final status ends the watch, a correction of one resumes it.
 * @param hasNews true when there has been news at the carrier since it was asked: then the watch must not end yet
 */
export function watchAfter(change: StatusChange, hasNews: boolean): WatchEffect {
  if (change.isTerminal && !hasNews) return 'ends';
  return isTerminalAdminStatus(change.previous) ? 'resumes' : 'goes on';
}

/** How a change came to be known. */
export interface ChangeOrigin {
  readonly environment: Environment;
  /** Epoch milliseconds. */
  readonly now: number;
  /** `traceparent` of what had the carrier asked, when that is known. */
  readonly traceparent: string | undefined;
}

/** The event of a change. */
export function trackingChanged(
  shipment: Pick<Shipment, 'tenantId' | 'forecastNo' | 'poNumber' | 'trackingNumber'>,
  change: StatusChange,
  { environment, now, traceparent }: ChangeOrigin,
): DomainEvent<'tracking.changed'> {
  return createDomainEvent({
    type: 'tracking.changed',
    publisher: 'tracking',
    tenantId: shipment.tenantId,
    environment,
    subject: shipment.forecastNo,
    time: now,
    traceparent,
    data: {
      forecast_no: shipment.forecastNo,
      po_number: shipment.poNumber,
      tracking_number: shipment.trackingNumber,
      previous_admin_status: change.previous,
      admin_status: change.current,
      is_terminal: change.isTerminal,
      changed_at: isoInstant(now),
    },
  });
}
