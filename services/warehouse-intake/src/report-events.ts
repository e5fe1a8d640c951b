import type { Environment } from '@parcelway/contracts/environment';
import { decodePhotoId } from '@parcelway/contracts/file-receipt';
import { type IntakeResult, MAX_EVENTS_PER_CALL } from '@parcelway/contracts/warehouse-api';
import { AppError } from '@parcelway/kernel/app-error';
import type { Clock } from '@parcelway/kernel/clock';
import { failpointAsync } from '@parcelway/kernel/failpoint';
import type { Logger } from '@parcelway/kernel/logger';
import type { IntakeEvent } from './domain/event.ts';
import { judge } from './domain/judge.ts';
import type { EventRecorder } from './ports.ts';

/** What taking reports needs. */
export interface ReportDeps {
  readonly recorder: EventRecorder;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly environment: Environment;
  /** Secret of the photo receipts. */
  readonly fileSecret: string;
  /** Says that the outbox was written to. */
  readonly notify: () => void;
}

const SHAPES = 'Send one event, or { "events": [ … ] }';

/**
 * The events in a body: one event, or `{ "events": [ … ] }` with 1 to 500. The events themselves are not looked at.
 * @throws AppError 42201 when it is neither
 */
export function eventsIn(body: unknown): readonly unknown[] {
  const refuse = (field: string, rule: string, message: string): AppError => AppError.validation([{ field, rule, message }]);
  if (body === null || typeof body !== 'object' || Array.isArray(body)) throw refuse('', 'type', `The body must be an object. ${SHAPES}`);
  if (!Object.hasOwn(body, 'events')) {
    if (Object.hasOwn(body, 'type') || Object.hasOwn(body, 'event_id')) return [body];
    throw refuse('', 'shape', `The body is neither an event nor a list of events. ${SHAPES}`);
  }
  const { events } = body as { readonly events: unknown };
  if (!Array.isArray(events)) throw refuse('events', 'type', 'events must be an array');
  if (events.length === 0) throw refuse('events', 'min_items', 'events must have at least 1 element');
  if (events.length > MAX_EVENTS_PER_CALL) throw refuse('events', 'max_items', `events must have at most ${MAX_EVENTS_PER_CALL} elements`);
  return events;
}

/**
 * Takes the reports of one call: refuses the bad ones one by one, stores the good ones. Safe to repeat as a whole.
 * @param warehouseCode the reporting warehouse, or null when the channel is trusted to name it
 * @param reports as parsed from JSON
 * @param traceparent of the call, for the events that tell of what it reports
 * @throws AppError 50301 when the store is out; the call is to be sent again then
 */
export async function reportEvents(
  deps: ReportDeps,
  warehouseCode: string | null,
  reports: readonly unknown[],
  traceparent?: string,
): Promise<IntakeResult> {
  const context = {
    warehouseCode,
    environment: deps.environment,
    now: deps.clock.now(),
    readReceipt: (photoId: string) => decodePhotoId(deps.fileSecret, photoId),
  };
  const events: IntakeEvent[] = [];
  const rejected: IntakeResult['rejected'] = [];
  reports.forEach((report, index) => {
    const judgement = judge(report, context);
    if ('event' in judgement) events.push(judgement.event);
    else rejected.push({ index, ...judgement.refusal });
  });
  if (events.length === 0) return { accepted: 0, duplicates: 0, rejected };

  await failpointAsync('intake.before-insert');
  const outcome = await deps.recorder.record(events, traceparent);
  if (outcome.published > 0) deps.notify();
  await failpointAsync('intake.after-insert');
  for (const { warehouseCode: warehouse_code, eventId: event_id } of outcome.conflicts) {
    deps.logger.warn({ warehouse_code, event_id }, 'An event was sent again with other content; the first one stays');
  }
  return { accepted: outcome.accepted, duplicates: outcome.duplicates, rejected };
}
