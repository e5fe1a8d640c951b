import type { Environment } from '@parcelway/contracts/environment';
import { AppError } from '@parcelway/kernel/app-error';
import type { Clock } from '@parcelway/kernel/clock';
import { noticeMessage } from './announce.ts';
import { advance, type Happening } from './domain/advance.ts';
import type { ForecastChanger, Notify } from './ports.ts';

/** What applying an event needs. */
export interface ApplyPorts {
  readonly store: ForecastChanger;
  readonly clock: Clock;
  readonly environment: Environment;
  readonly notify: Notify;
}

/** Something reported about a forecast. */
export interface Report {
  readonly tenantId: string;
  readonly forecastNo: string;
  /** Names the event among those of the forecast: a repeat has no effect. */
  readonly eventId: string;
  readonly happening: Happening;
  /** `traceparent` of the event, when it has one. */
  readonly traceparent?: string | undefined;
}

/**
 * Applies a report to its forecast, once.
 * @throws AppError 40403 when the tenant has no such forecast: no retry will change that
 */
export type ApplyEvent = (report: Report) => Promise<void>;

/** The use case behind every consumed event: effect, dedupe mark and announcements in one write. */
export function createApplyEvent({ store, clock, environment, notify }: ApplyPorts): ApplyEvent {
  return async ({ tenantId, forecastNo, eventId, happening, traceparent }) => {
    const origin = { environment, traceparent };
    let announced = false;
    const outcome = await store.change(tenantId, forecastNo, { eventId, type: happening.step }, (forecast, isShown) => {
      const now = clock.now();
      const { status, progress, notices: all } = advance(forecast, happening, now);
      // Whoever is told of a weighing finds it by the po_number; of a cancelled forecast whose po_number was used again
      // the query would show another forecast, perhaps not weighed yet.
      const notices = all.filter(({ kind }) => isShown || kind !== 'weighed');
      announced = notices.length > 0;
      return { status, progress, updatedAt: now, messages: notices.map((notice) => noticeMessage(origin, forecast, notice, now)) };
    });
    if (outcome === 'unknown') throw new AppError('40403', `There is no forecast ${forecastNo} of this tenant`);
    if (outcome === 'changed' && announced) notify();
  };
}
