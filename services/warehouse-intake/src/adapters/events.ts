import type { Bus, EventBatchHandler, EventOf, RawMessage, Subscription } from '@parcelway/bus/bus';
import type { LogRecord } from '@parcelway/bus/driver';
import type { SsccOf } from '@parcelway/contracts/sscc';
import { topics } from '@parcelway/contracts/topics';
import { type IntakeWarning, MAX_EVENTS_PER_CALL } from '@parcelway/contracts/warehouse-api';
import { parseStrictJson } from '@parcelway/http/strict-json';
import { AppError } from '@parcelway/kernel/app-error';
import { isErrorCode } from '@parcelway/kernel/error-codes';
import { failpointAsync } from '@parcelway/kernel/failpoint';
import type { Logger } from '@parcelway/kernel/logger';
import type { ExpiredForecasts } from '../erasure/expired-forecasts.ts';
import type { Directory } from '../expected/directory-store.ts';
import { type DecideView, decideView, eventsWithoutItems } from '../expected/domain/decide-view.ts';
import { type ViewEvent, viewEventTypes } from '../expected/domain/forecast-copy.ts';
import { type DirectoryEvent, factOf } from '../expected/domain/forecast-fact.ts';
import { changeView, type LargeItems } from '../expected/large-items.ts';
import type { Intake } from '../reports/intake-store.ts';
import { eventsIn, type ReportedMessage, type ReportOptions, reportEvents, reportTogether } from '../reports/report-events.ts';

export const GROUP = 'warehouse-intake';

/** At most this many rejected events are named in the reason of a dead letter, and warnings in the log. */
const MAX_NAMED = 5;

function bodyOf(record: LogRecord): unknown {
  if (record.value === null) throw new AppError('40001', 'The message is empty');
  try {
    return parseStrictJson(record.value);
  } catch {
    // The parser quotes what it could not read; reasons of dead letters are logged, so they quote nothing.
    throw new AppError('40001', 'The message is not well-formed JSON');
  }
}

/**
 * Takes a message of the intake topic: the same JSON as the HTTP call. The warehouse is trusted as written, because
 * only systems inside the platform's network can produce there.
 *
 * A message with bad events becomes a dead letter as a whole, after its good events have been stored. Nothing is lost
 * and nothing doubled: once the message is redriven, the good events count as duplicates.
 * @param traceparent of the message, for the events that are published of it
 * @throws AppError 40001 or 42201 for a message that cannot be processed, 40403 for an unknown photo, 50301 when the store is out
 */
export async function takeMessage(options: ReportOptions, record: LogRecord, traceparent?: string): Promise<void> {
  const { rejected, warnings } = await reportEvents(options, null, eventsIn(bodyOf(record)), traceparent);
  warn(options, warnings);
  const first = rejected[0];
  if (!first) return;
  const named = rejected.slice(0, MAX_NAMED).map(({ index, code, message }) => `event ${index}: ${code} ${message}`);
  if (rejected.length > MAX_NAMED) named.push(`and ${rejected.length - MAX_NAMED} more`);
  throw new AppError(isErrorCode(first.code) ? first.code : '42201', named.join(' | '));
}

/**
 * Receives messages of the intake topic together. One by itself is processed by {@link takeMessage}. When one of several cannot be processed, all
 * of them come again by themselves, so that only that one becomes a dead letter.
 * @throws AppError as {@link takeMessage}
 */
export async function takeMessages(options: ReportOptions, messages: readonly RawMessage[]): Promise<void> {
  const [first] = messages;
  if (first === undefined) return;
  if (messages.length === 1) return takeMessage(options, first.record, first.traceparent);
  const reported = messages.map(({ record, traceparent }) => ({ reports: eventsIn(bodyOf(record)), traceparent }));
  for (const some of callsOf(reported)) {
    const warnings = await reportTogether(options, some);
    if (warnings === undefined) throw new AppError('42201', 'A report of the batch is rejected');
    warn(options, warnings);
  }
}

/** Messages in groups of no more reports than a call has, in their order. */
function callsOf(messages: readonly ReportedMessage[]): readonly (readonly ReportedMessage[])[] {
  const calls: ReportedMessage[][] = [];
  let size = 0;
  for (const message of messages) {
    size += message.reports.length;
    const call = calls.at(-1);
    if (call !== undefined && size <= MAX_EVENTS_PER_CALL) call.push(message);
    else {
      calls.push([message]);
      size = message.reports.length;
    }
  }
  return calls;
}

/** Nobody reads a response here. What waits is in the list of unclaimed parcels; the rest is for the log. */
function warn(options: ReportOptions, warnings: readonly IntakeWarning[]): void {
  const odd = warnings.filter(({ rule }) => rule === 'implausible' || rule === 'unknown_field' || rule === 'on_hold');
  if (odd.length > 0)
    options.logger.warn({ warnings: odd.slice(0, MAX_NAMED), count: odd.length }, 'Reports on the intake topic have warnings');
}

const directoryTypes: readonly string[] = [
  'forecast.accepted',
  'forecast.corrected',
  'forecast.cancelled',
  'forecast.report_refused',
] satisfies DirectoryEvent['type'][];

const shownTypes: readonly string[] = viewEventTypes;

type Expired = EventOf<'forecast.expired'>;

export interface FollowOptions {
  readonly intake: Pick<Intake, 'follow'>;
  readonly directory: Pick<Directory, 'change'>;
  readonly expired: ExpiredForecasts;
  readonly large: Pick<LargeItems, 'add'>;
  readonly ssccOf: SsccOf;
  readonly logger: Logger;
  /** Says that the outbox was written to. */
  readonly notify: () => void;
}

/** What the events make of what warehouses are shown of each of their forecasts. */
function viewsOf(events: readonly ViewEvent[], ssccOf: SsccOf): ReadonlyMap<string, DecideView> {
  const byForecast = new Map<string, ViewEvent[]>();
  for (const event of events) {
    const { forecast_no: forecastNo } = event.data;
    byForecast.set(forecastNo, [...(byForecast.get(forecastNo) ?? []), event]);
  }
  return new Map([...byForecast].map(([forecastNo, own]) => [forecastNo, (before) => decideView(own, before, ssccOf)]));
}

/** Applies facts to the directory, with what warehouses are shown of their forecasts, and publishes the events that waited for them. */
async function followFacts(
  { intake, logger, notify }: FollowOptions,
  events: readonly DirectoryEvent[],
  views: ReadonlyMap<string, DecideView>,
): Promise<void> {
  const { published } = await intake.follow(events.map(factOf), views);
  if (published === 0) return;
  notify();
  const forecasts = [...new Set(events.map(({ data }) => data.forecast_no))];
  const named = forecasts.length === 1 ? { forecast_no: forecasts[0] } : { forecasts: forecasts.length };
  logger.info({ ...named, events: published }, 'Waiting events were applied to their forecast');
}

/**
 * Applies a batch of events to the directory and to what warehouses are shown. Items that are too large for their event follow when the rest is stored, so
 * that a warehouse sees the forecast even while they cannot be read. Forecasts that have expired leave behind what else is said. Idempotent.
 */
export function forecastHandler(
  options: FollowOptions,
): EventBatchHandler<ViewEvent['type'] | DirectoryEvent['type'] | 'forecast.expired'> {
  const { directory, expired, large, ssccOf } = options;
  return async (batch) => {
    const over = batch.filter((event): event is Expired => event.type === 'forecast.expired');
    const events = batch.filter((event): event is ViewEvent => shownTypes.includes(event.type));
    const changing = batch.filter((event): event is DirectoryEvent => directoryTypes.includes(event.type));
    const views = viewsOf(events, ssccOf);
    if (changing.length > 0) {
      await followFacts(options, changing, views);
      await failpointAsync('intake.directory-followed');
    }
    const followed = new Set(changing.map(({ data }) => data.forecast_no));
    const left = new Map([...views].filter(([forecastNo]) => !followed.has(forecastNo)));
    if (left.size > 0) await changeView(directory, left);
    large.add(eventsWithoutItems(events));
    if (over.length > 0) await expired.drop(over.map(({ tenantid: tenantId, data }) => ({ tenantId, forecastNo: data.forecast_no })));
  };
}

/** Subscribes to the forecasts, their documents, and the intake topic. Stop both, the intake first. */
export async function subscribeIntake(
  bus: Bus,
  follow: FollowOptions & { readonly large: Pick<LargeItems, 'settled'> },
  report: ReportOptions,
): Promise<readonly Subscription[]> {
  // A warehouse sees a parcel hours after its forecast, and what it reports before that waits for the forecast. A station asks for its list every few seconds.
  const options = { isUnhurried: true, settle: () => follow.large.settled() };
  const forecasts = await bus.subscribeBatch(
    GROUP,
    [...viewEventTypes, 'forecast.report_refused', 'forecast.expired'],
    forecastHandler(follow),
    options,
  );
  const intake = await bus.subscribeRawBatch(GROUP, topics.warehouseIntake, (messages) => takeMessages(report, messages));
  return [intake, forecasts];
}
