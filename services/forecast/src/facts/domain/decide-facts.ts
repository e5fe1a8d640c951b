import { photoTokensIn } from '@parcelway/contracts/file-receipt';
import { type ForecastStatus, forecastStatuses } from '@parcelway/contracts/forecast-status';
import { normaliseTrackingNumber } from '@parcelway/contracts/tracking-number';
import { AppError } from '@parcelway/kernel/app-error';
import type { Fact, ForecastFact } from '../../store/domain/fact.ts';
import type { ForecastRecord, ReceivedItem } from '../../store/domain/forecast.ts';
import {
  type AppliedEvent,
  type CausedMessage,
  type ContentChange,
  type ForecastWrite,
  type KnownForecast,
  keyText,
} from '../../store/domain/known-forecast.ts';
import { reportRefusedMessage } from '../../store/domain/messages.ts';
import { haveSameTerms, termsOf } from '../../store/domain/search-terms.ts';
import { cancelledAt } from '../../submission/domain/cancellation.ts';
import { decideCorrection } from '../../submission/domain/decide-correction.ts';
import { advance } from './advance.ts';
import { announcements } from './announcements.ts';

/**
 * The warehouse that has the parcel, when the first report that moves the forecast on comes from another than the forecast's: a
 * correction has moved the forecast while the parcel was arriving. Undefined when they agree.
 * @param status after the fact
 */
export function foundElsewhere(
  forecast: Pick<ForecastRecord, 'status' | 'warehouseCode'>,
  fact: Fact,
  status: ForecastStatus,
): string | undefined {
  if (forecast.status !== forecastStatuses.ACCEPTED || status === forecastStatuses.ACCEPTED || !('report' in fact)) return undefined;
  const { warehouse_code } = fact.report;
  return warehouse_code === forecast.warehouseCode ? undefined : warehouse_code;
}

export interface FactsDecision {
  /** At most one of each forecast. */
  readonly writes: readonly ForecastWrite[];
  /** Why facts have no effect: 40403 for a forecast that the tenant does not have, 40902 for a fact that its forecast refuses. */
  readonly refused: readonly AppError[];
  /** Keys of forecasts that are decided on only with their content. Nothing is written of them. */
  readonly needContent: ReadonlySet<string>;
}

/** A forecast while the facts of a batch are applied to it. */
class FactFold {
  readonly #known: KnownForecast;
  readonly #now: number;
  #state: Pick<ForecastRecord, 'status' | 'progress' | 'forecastType' | 'warehouseCode'>;
  #receivedItems: readonly ReceivedItem[] | undefined;
  #content: ContentChange | undefined;
  readonly #applied: AppliedEvent[] = [];
  readonly #seen: Set<string>;
  readonly #scanned = new Set<string>();
  readonly #messages: CausedMessage[] = [];

  constructor(known: KnownForecast, now: number) {
    this.#known = known;
    this.#now = now;
    const { status, progress, forecastType, warehouseCode } = known.record;
    this.#state = { status, progress, forecastType, warehouseCode };
    this.#seen = new Set(known.applied);
  }

  /** @returns false when it needs the content. @throws AppError 40902 */
  apply(reported: ForecastFact): boolean {
    return this.#seen.has(reported.eventId) || this.#applyOnce(reported);
  }

  #applyOnce({ fact, eventId, traceparent, isMatched }: ForecastFact): boolean {
    const { record, isShown } = this.#known;
    const since = cancelledAt(record);
    if (since !== null && isMatched && 'report' in fact) {
      // The parcel may be another forecast's by now: the intake decides. Nothing marks the report as applied, so that each
      // delivery is refused again and none is lost.
      const shown = new Set(photoTokensIn(this.#state.progress));
      const photos = photoTokensIn(fact).filter((token) => !shown.has(token));
      this.#messages.push({ message: reportRefusedMessage(record, fact.report, photos, since, this.#now), traceparent });
      return true;
    }
    const { status, progress, receivedItems } = advance(this.#state, fact, this.#now);
    const elsewhere = foundElsewhere(this.#state, fact, status);
    if (elsewhere !== undefined && !this.#moveTo(elsewhere, traceparent)) return false;
    if (this.#known.whole === undefined && !haveSameTerms(record.progress, progress)) return false;
    for (const message of announcements(record, fact, { before: this.#state, after: { status, progress } }, this.#now)) {
      // Who is notified of a report looks it up by the po_number. When the po_number of a cancelled forecast was used again, the query
      // shows the other forecast. A dispatch is for tracking, which looks it up by the forecast_no.
      if (!isShown && message.type !== 'forecast.dispatched') continue;
      this.#messages.push({ message, traceparent });
    }
    this.#seen.add(eventId);
    if ('report' in fact && fact.report.express_no !== null) this.#scanned.add(normaliseTrackingNumber(fact.report.express_no));
    this.#applied.push({ eventId, type: fact.step });
    this.#state = { ...this.#state, status, progress };
    this.#receivedItems = receivedItems ?? this.#receivedItems;
    return true;
  }

  /**
   * A correction moved the forecast while the parcel was arriving at the former warehouse: that is where it is. The forecast goes back
   * there by a correction of its own, which the directory, the view and the documents follow like any other, before the report counts.
   * That is at most once: the report moves the forecast on, and then it stays where it is.
   * @returns false when it needs the content
   */
  #moveTo(warehouseCode: string, traceparent: string | undefined): boolean {
    const { record, whole } = this.#known;
    if (whole === undefined) return false;
    const before = { ...whole, record: { ...record, ...this.#state } };
    const attempt = { correction: { warehouse_code: warehouseCode }, condition: null, refusal: undefined, keyId: null, name: null };
    const { change } = decideCorrection(before, { ...attempt, now: this.#now });
    if (change === undefined) return true;
    this.#state = { ...this.#state, warehouseCode };
    this.#content = change.content;
    this.#messages.push({ message: change.message, traceparent });
    return true;
  }

  /** Undefined when nothing changes. */
  write(): ForecastWrite | undefined {
    const known = this.#known;
    const { status, progress } = this.#state;
    const hasFacts = this.#applied.length > 0;
    if (!hasFacts && this.#messages.length === 0) return undefined;
    const content = this.#content?.content ?? known.whole?.content;
    const hasOtherTerms = this.#content !== undefined || !haveSameTerms(known.record.progress, progress);
    return {
      known,
      // Refused reports leave it as it is: nothing happened to the forecast.
      updatedAt: hasFacts ? this.#now : known.record.updatedAt,
      state: { status, progress },
      ...(this.#receivedItems && { receivedItems: this.#receivedItems }),
      ...(this.#content && { content: this.#content }),
      ...(hasOtherTerms && content && { terms: termsOf(content, progress) }),
      ...(this.#scanned.size > 0 && { scanned: [...this.#scanned] }),
      applied: this.#applied,
      messages: this.#messages,
    };
  }
}

/**
 * What facts make of forecasts, in the order of the facts: those of one forecast become one write. A fact that was applied before, now or
 * earlier, has no effect.
 * @param known the forecasts of the facts, as far as they exist
 * @param now epoch milliseconds
 */
export function decideFacts(facts: readonly ForecastFact[], known: readonly KnownForecast[], now: number): FactsDecision {
  const folds = new Map(known.map((one) => [keyText(one.record), new FactFold(one, now)]));
  const refused: AppError[] = [];
  const needContent = new Set<string>();
  for (const reported of facts) {
    const key = keyText(reported);
    const fold = folds.get(key);
    if (needContent.has(key)) continue;
    if (fold === undefined) {
      refused.push(new AppError('40403', `There is no forecast ${reported.forecastNo} of this tenant`));
      continue;
    }
    try {
      if (!fold.apply(reported)) needContent.add(key);
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      refused.push(error);
    }
  }
  const complete = [...folds].filter(([key]) => !needContent.has(key));
  const writes = complete.flatMap(([, fold]) => fold.write() ?? []);
  return { writes, refused, needContent };
}
