import type { Environment } from '@parcelway/contracts/environment';
import { forecastStatuses } from '@parcelway/contracts/forecast-status';
import { AppError } from '@parcelway/kernel/app-error';
import type { Clock } from '@parcelway/kernel/clock';
import { noticeMessage } from './announce.ts';
import { advance, foundElsewhere } from './domain/advance.ts';
import type { Happening } from './domain/happening.ts';
import { correctionDecision, makeCorrection } from './make-correction.ts';
import type { ForecastChanger, ForecastCorrector, Notify } from './ports.ts';
import { submittedForecast } from './query-forecasts.ts';

/** Corrections that may come between a report and its effect before the report waits for another try. */
const MAX_MOVES = 5;

/** What applying an event needs. */
export interface ApplyPorts {
  readonly store: ForecastChanger & ForecastCorrector;
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

/** The report shows that another warehouse has the parcel than the one that the forecast names. */
class FoundElsewhere extends Error {
  readonly warehouseCode: string;

  constructor(warehouseCode: string) {
    super(`The parcel is at ${warehouseCode}`);
    this.warehouseCode = warehouseCode;
  }
}

/** The use case behind every consumed event: effect, dedupe mark and announcements in one write. */
export function createApplyEvent({ store, clock, environment, notify }: ApplyPorts): ApplyEvent {
  const apply = async ({ tenantId, forecastNo, eventId, happening, traceparent }: Report): Promise<void> => {
    const origin = { environment, traceparent };
    let announced = false;
    const outcome = await store.change(tenantId, forecastNo, { eventId, type: happening.step }, (forecast, isShown) => {
      const now = clock.now();
      const { status, progress, receivedItems, notices: all } = advance(forecast, happening, now);
      const elsewhere = foundElsewhere(forecast, happening, status);
      if (elsewhere !== undefined) throw new FoundElsewhere(elsewhere);
      // Whoever is told of a report looks it up by the po_number. When the po_number of a cancelled forecast was used again, the query
      // shows the other forecast. A dispatch is for tracking, which looks it up by the forecast_no.
      const notices = all.filter(({ kind }) => isShown || kind === 'dispatched');
      announced = notices.length > 0;
      const messages = notices.map((notice) => noticeMessage(origin, forecast, notice, now));
      return { status, progress, updatedAt: now, messages, ...(receivedItems && { receivedItems }) };
    });
    if (outcome === 'unknown') throw new AppError('40403', `There is no forecast ${forecastNo} of this tenant`);
    if (outcome === 'changed' && announced) notify();
  };

  /**
   * A correction moved the forecast while the parcel was arriving at the former warehouse: that is where it is. The forecast goes back
   * there as a correction of its own, which the directory, the view and the documents follow like any other, before the report counts.
   */
  const moveTo = async (warehouseCode: string, { tenantId, forecastNo, traceparent }: Report): Promise<void> => {
    const now = clock.now();
    const attempt = { correction: { warehouse_code: warehouseCode }, condition: null, refusal: undefined, keyId: null, name: null, now };
    const outcome = await store.correct(tenantId, forecastNo, (stored) => {
      // Once a report counts, the forecast stays where it is.
      if (stored.record.status !== forecastStatuses.ACCEPTED) return undefined;
      const before = submittedForecast(stored);
      const made = makeCorrection(before, attempt);
      return made.changed.length === 0 ? undefined : correctionDecision(before, made, { environment, traceparent }, now);
    });
    if (outcome.kind === 'corrected') notify();
  };

  return async (report) => {
    for (let moves = 0; ; moves += 1) {
      try {
        return await apply(report);
      } catch (error) {
        if (!(error instanceof FoundElsewhere)) throw error;
        if (moves === MAX_MOVES) throw AppError.unavailable('The forecast is corrected again and again; try again', error);
        await moveTo(error.warehouseCode, report);
      }
    }
  };
}
