import type { Environment } from '@parcelway/contracts/environment';
import { decodePhotoId } from '@parcelway/contracts/file-receipt';
import { type ShipmentDetails, sealShipmentDetails } from '@parcelway/contracts/shipment-details';
import {
  type IntakeResult,
  type IntakeWarning,
  MAX_EVENTS_PER_CALL,
  MAX_INTAKE_ERRORS,
  MAX_INTAKE_WARNINGS,
  type RejectedEvent,
} from '@parcelway/contracts/warehouse-api';
import { AppError, MAX_FIELD_ERRORS } from '@parcelway/kernel/app-error';
import type { Clock } from '@parcelway/kernel/clock';
import { failpointAsync } from '@parcelway/kernel/failpoint';
import type { Logger } from '@parcelway/kernel/logger';
import type { TextSealer } from '@parcelway/kernel/sealed-text';
import { eventKey, type IntakeEvent } from '../expected/domain/event.ts';
import type { RecordOutcome } from './domain/decide-reports.ts';
import { rememberedRejection } from './domain/event-outcome.ts';
import {
  cutWarnings,
  dispatchedOnHold,
  eventIdReused,
  implausible,
  lateFault,
  type MeasureLimits,
  readableEventId,
  repeatedSku,
  unknownFields,
  waitingWarning,
} from './domain/intake-warnings.ts';
import { judge, type Refusal } from './domain/judge.ts';
import type { ReportTrace } from './domain/trace.ts';
import type { createAppliedReports, DispatchOnHold } from './event-reads.ts';
import type { Intake } from './intake-store.ts';
import type { Rejections } from './rejections.ts';

export interface ReportOptions {
  readonly recorder: Pick<Intake, 'record'>;
  readonly reports: Pick<ReturnType<typeof createAppliedReports>, 'dispatchedOnHold'>;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly environment: Environment;
  /** Beyond these a measurement is questioned. */
  readonly limits: MeasureLimits;
  /** Secrets by which the photo receipts may be signed. */
  readonly fileSecrets: readonly string[];
  /** Seals the details of shipments, with the secret of the installation. */
  readonly sealer: TextSealer;
  /** Remembers what was rejected, for those who ask later. */
  readonly rejections: Pick<Rejections, 'remember'>;
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

/** A report of a call that is taken, as far as it shows by itself. */
interface GoodReport {
  readonly index: number;
  readonly report: object;
  readonly event: IntakeEvent;
}

/** A call, its good and rejected reports. */
interface JudgedCall {
  readonly good: readonly GoodReport[];
  readonly rejected: readonly RejectedEvent[];
}

function judgeAll(options: ReportOptions, warehouseCode: string | null, reports: readonly unknown[]): JudgedCall {
  const context = {
    warehouseCode,
    environment: options.environment,
    now: options.clock.now(),
    readReceipt: (photoId: string) => decodePhotoId(options.fileSecrets, photoId),
    sealDetails: (owner: Parameters<typeof sealShipmentDetails>[1], report: ShipmentDetails) =>
      sealShipmentDetails(options.sealer, owner, report),
  };
  const good: GoodReport[] = [];
  const rejected: RejectedEvent[] = [];
  reports.forEach((report, index) => {
    const judgement = judge(report, context);
    if ('event' in judgement) good.push({ index, report: report as object, event: judgement.event });
    else rejected.push(rejection(index, report, judgement.refusal));
  });
  return { good, rejected };
}

function rejection(index: number, report: unknown, { code, message, errors }: Refusal): RejectedEvent {
  return { index, event_id: readableEventId(report), code, message, errors: errors.slice(0, MAX_FIELD_ERRORS) };
}

/** In the order of the call, and with no more errors than {@link MAX_INTAKE_ERRORS} beside the first of each event. */
function orderedRejections(rejected: readonly RejectedEvent[]): RejectedEvent[] {
  let left = MAX_INTAKE_ERRORS;
  return rejected
    .toSorted((a, b) => a.index - b.index)
    .map((event) => {
      const errors = event.errors.slice(0, Math.max(1, left));
      left -= errors.length;
      return { ...event, errors };
    });
}

/** Unknown fields of all reports, also of those that are rejected: what was meant may be why. */
function unknownWarnings(reports: readonly unknown[]): IntakeWarning[] {
  const warnings: IntakeWarning[] = [];
  // No more can be in the response, and a call may have a hundred thousand.
  for (const [index, report] of reports.entries()) {
    const found = unknownFields(report, MAX_INTAKE_WARNINGS - warnings.length);
    for (const warning of found) warnings.push({ index, event_id: readableEventId(report), ...warning });
  }
  return warnings;
}

/** Dispatches of the call, stored now or before, of parcels on hold. All of the call is stored by now, so a hold or release in it counts. */
async function onHold(options: ReportOptions, taken: readonly GoodReport[]): Promise<readonly DispatchOnHold[]> {
  const dispatches = taken.filter(({ event }) => event.detail.type === 'dispatch');
  return dispatches.length === 0 ? [] : options.reports.dispatchedOnHold(dispatches.map(({ event }) => event));
}

function warningsOf(
  options: ReportOptions,
  taken: readonly GoodReport[],
  outcome: RecordOutcome,
  dispatches: readonly DispatchOnHold[],
): IntakeWarning[] {
  const reused = new Set(outcome.conflicts.map(eventKey));
  const held = new Map(dispatches.map((dispatch) => [eventKey(dispatch), dispatch]));
  const waiting = new Map(outcome.waiting.map((event) => [eventKey(event), event]));
  return taken.flatMap(({ index, report, event }) => {
    const key = eventKey(event);
    const match = waiting.get(key);
    const hold = held.get(key);
    const found = [
      ...implausible(event, options.limits),
      ...repeatedSku(report),
      ...(reused.has(key) ? [eventIdReused] : []),
      ...(match ? [waitingWarning(event, match)] : []),
      ...(hold && event.detail.type === 'dispatch' ? [dispatchedOnHold(hold)] : []),
    ];
    return found.map((warning) => ({ index, event_id: event.eventId, ...warning }));
  });
}

async function record(options: ReportOptions, good: readonly GoodReport[], traceOf: ReportTrace): Promise<RecordOutcome> {
  await failpointAsync('intake.before-insert');
  const outcome = await options.recorder.record(
    good.map(({ event }) => event),
    traceOf,
  );
  if (outcome.published > 0) options.notify();
  await failpointAsync('intake.after-insert');
  for (const { warehouseCode: warehouse_code, eventId: event_id } of outcome.conflicts) {
    options.logger.warn({ warehouse_code, event_id }, 'An event was sent again with different content; the first one stays valid');
  }
  return outcome;
}

/** Keeps what was rejected for those who ask later. The response names it already, so a failure here fails nothing. */
async function remember(
  options: ReportOptions,
  reporter: string | null,
  reports: readonly unknown[],
  rejected: readonly RejectedEvent[],
): Promise<void> {
  const kept = rejected.flatMap((event) => rememberedRejection(reporter, reports[event.index], event) ?? []);
  if (kept.length === 0) return;
  try {
    await options.rejections.remember(kept, options.clock.now());
  } catch (error) {
    options.logger.warn(
      { err: error, reports: kept.length },
      'Rejected reports could not be stored; the outcome of their events does not show them',
    );
  }
}

/**
 * Takes the reports of one call: refuses the bad ones one by one, stores the good ones, and says what deserves a look. Safe to
 * repeat as a whole.
 * @param warehouseCode the reporting warehouse, or null when the channel is trusted to name it
 * @param reports as parsed from JSON
 * @param traceparent of the call, for the events that are published of it
 * @throws AppError 50301 when the store is out; the call is to be sent again then
 */
export async function reportEvents(
  options: ReportOptions,
  warehouseCode: string | null,
  reports: readonly unknown[],
  traceparent?: string,
): Promise<IntakeResult> {
  const { good, rejected } = judgeAll(options, warehouseCode, reports);
  if (good.length === 0) {
    const ordered = orderedRejections(rejected);
    await remember(options, warehouseCode, reports, ordered);
    return { accepted: 0, duplicates: 0, waiting: 0, rejected: ordered, warnings: unknownWarnings(reports) };
  }
  const outcome = await record(options, good, () => traceparent);
  const refused = new Set(outcome.refused.map(eventKey));
  const [taken, late] = [
    good.filter(({ event }) => !refused.has(eventKey(event))),
    good.filter(({ event }) => refused.has(eventKey(event))),
  ];
  const lateRejections = late.map(({ index, report, event }) => {
    const fault = lateFault(event);
    return rejection(index, report, { code: '40902', message: fault.message, errors: [fault] });
  });
  const ordered = orderedRejections([...rejected, ...lateRejections]);
  await remember(options, warehouseCode, reports, ordered);
  return {
    accepted: outcome.accepted,
    duplicates: outcome.duplicates,
    waiting: outcome.waiting.length,
    rejected: ordered,
    warnings: cutWarnings([...unknownWarnings(reports), ...warningsOf(options, taken, outcome, await onHold(options, taken))]),
  };
}

/** The reports of a message of the intake topic. */
export interface ReportedMessage {
  /** As parsed from JSON. */
  readonly reports: readonly unknown[];
  /** Of the message, for the events that are published because of it. */
  readonly traceparent: string | undefined;
}

/**
 * Stores the reports of several messages together: all of them, or it says that each message has to be processed by itself. Safe to repeat, also
 * message by message. The warehouse is trusted as written.
 * @returns what deserves a look; undefined when a report is rejected. The other reports may be stored then
 * @throws AppError 50301 when the store is out
 */
export async function reportTogether(
  options: ReportOptions,
  messages: readonly ReportedMessage[],
): Promise<readonly IntakeWarning[] | undefined> {
  const reports = messages.flatMap((message) => message.reports);
  const { good, rejected } = judgeAll(options, null, reports);
  if (rejected.length > 0) return undefined;
  const traces = messages.flatMap((message) => message.reports.map(() => message.traceparent));
  const traceOf = new Map(good.map(({ event, index }) => [event, traces[index]]));
  const outcome = await record(options, good, (event) => traceOf.get(event));
  if (outcome.refused.length > 0) return undefined;
  return [...unknownWarnings(reports), ...warningsOf(options, good, outcome, await onHold(options, good))];
}
