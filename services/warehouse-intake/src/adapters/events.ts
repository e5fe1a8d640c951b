import type { Bus, EventHandlers, Subscription } from '@parcelway/bus/bus';
import type { LogRecord } from '@parcelway/bus/driver';
import { topics } from '@parcelway/contracts/topics';
import { parseStrictJson } from '@parcelway/http/strict-json';
import { AppError } from '@parcelway/kernel/app-error';
import { isErrorCode } from '@parcelway/kernel/error-codes';
import { failpointAsync } from '@parcelway/kernel/failpoint';
import { type FollowOptions, followAcceptance, followCancellation, followCorrection } from '../matching/follow-forecasts.ts';
import { eventsIn, type ReportOptions, reportEvents } from '../reports/report-events.ts';
import { viewHandlers } from '../view/adapters/view-events.ts';
import type { FollowViewOptions } from '../view/follow-view.ts';

/** Consumer group of the service. */
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
  // Nobody reads a response here. What waits is in the list of unclaimed parcels; the rest is for the log.
  const odd = warnings.filter(({ rule }) => rule === 'implausible' || rule === 'unknown_field' || rule === 'on_hold');
  if (odd.length > 0)
    options.logger.warn({ warnings: odd.slice(0, MAX_NAMED), count: odd.length }, 'Reports on the intake topic need a check');
  const first = rejected[0];
  if (!first) return;
  const named = rejected.slice(0, MAX_NAMED).map(({ index, code, message }) => `event ${index}: ${code} ${message}`);
  if (rejected.length > MAX_NAMED) named.push(`and ${rejected.length - MAX_NAMED} more`);
  throw new AppError(isErrorCode(first.code) ? first.code : '42201', named.join(' | '));
}

/** What the directory makes of each event, and then the warehouses' view. */
export function forecastHandlers(follow: FollowOptions, view: FollowViewOptions): EventHandlers {
  const handlers = viewHandlers(view);
  return {
    ...handlers,
    'forecast.accepted': async (event) => {
      await followAcceptance(follow, event);
      await failpointAsync('intake.directory-followed');
      await handlers['forecast.accepted'](event);
    },
    'forecast.corrected': async (event) => {
      await followCorrection(follow, event);
      await failpointAsync('intake.directory-followed');
      await handlers['forecast.corrected'](event);
    },
    'forecast.cancelled': async (event) => {
      await followCancellation(follow, event);
      await failpointAsync('intake.directory-followed');
      await handlers['forecast.cancelled'](event);
    },
  };
}

/** Subscribes to the forecasts, their documents, and the intake topic. Stop both, the intake first. */
export async function subscribeIntake(
  bus: Bus,
  follow: FollowOptions,
  view: FollowViewOptions,
  report: ReportOptions,
): Promise<readonly Subscription[]> {
  const forecasts = await bus.subscribe(GROUP, forecastHandlers(follow, view));
  const intake = await bus.subscribeRaw(GROUP, topics.warehouseIntake, (record, traceparent) => takeMessage(report, record, traceparent));
  return [intake, forecasts];
}
