import { type AdminStatus, isTerminalAdminStatus } from '@parcelway/contracts/admin-status';
import { createDomainEvent, type DomainEvent } from '@parcelway/contracts/cloud-event';
import type { Environment } from '@parcelway/contracts/environment';
import { isoInstant } from '@parcelway/kernel/clock';
import type { CarrierNode } from './node.ts';

/** A forecast as far as tracking needs it. */
export interface KnownForecast {
  readonly tenantId: string;
  readonly forecastNo: string;
  readonly poNumber: string;
}

/** A parcel that the warehouse has handed to a carrier. */
export interface Shipment extends KnownForecast {
  readonly carrierCode: string;
  readonly trackingNumber: string;
  /** Number of the parcel among those that this forecast was dispatched as, from 1. */
  readonly watch: number;
  /** Since when this parcel is under watch, epoch milliseconds; its age decides how often the carrier is asked. */
  readonly watchedSince: number;
  /** admin_status of the last tracking.changed; empty when there was none. */
  readonly publishedStatus: AdminStatus | '';
  /**
   * Rises when there is news at the carrier, and when the watch resumes: a query begun before does not count
   * for those that come after, and a poll begun before does not say when the next one is.
   */
  readonly wakes: number;
  /** Polls that failed since the last good one. */
  readonly failures: number;
}

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
  if (!newest || newest.adminStatus === publishedStatus) return undefined;
  return { previous: publishedStatus, current: newest.adminStatus, isTerminal: isTerminalAdminStatus(newest.adminStatus) };
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
  shipment: KnownForecast,
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
      previous_admin_status: change.previous,
      admin_status: change.current,
      is_terminal: change.isTerminal,
      changed_at: isoInstant(now),
    },
  });
}
