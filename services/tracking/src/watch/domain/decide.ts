import { type AdminStatus, isTerminalAdminStatus } from '@parcelway/contracts/admin-status';
import { createDomainEvent, type DomainEvent } from '@parcelway/contracts/cloud-event';
import type { Environment } from '@parcelway/contracts/environment';
import { isoInstant } from '@parcelway/kernel/clock';
import { dispatchParcel } from './dispatch.ts';
import {
  type CarrierResponse,
  type Dispatch,
  type ParcelFact,
  parcelOf,
  type Question,
  type Reschedule,
  type SourceReport,
} from './facts.ts';
import { addToHistory } from './history.ts';
import { pollAfterEnd } from './schedule.ts';
import { type DispatchedParcel, keyText, type Parcel, type ParcelKey, parcelKey, type Registration, type Shipment } from './shipment.ts';

/** What a fact changed, as far as its sender needs it. */
export interface Outcome {
  readonly isChanged: boolean;
  /** True when the fact ended the watch; otherwise absent. */
  readonly endsWatch?: true;
  /** True when a response had nodes that the history lacked. */
  readonly hasNewNodes?: true;
}

/** What to write of one parcel, in one durable step with its messages. */
export interface ParcelWrite {
  /** What it was decided on; undefined when the forecast was unknown. */
  readonly before: Parcel | undefined;
  /** Its nodes are another list than before only where they change. */
  readonly after: Parcel;
  /** True when whoever polls the shipment holds it no longer. */
  readonly isLeaseEnded: boolean;
  /** Events to publish, in this order. */
  readonly messages: readonly DomainEvent[];
}

/** A change that the tenant is to hear of. */
interface StatusChange {
  readonly previous: AdminStatus | '';
  readonly current: AdminStatus;
  readonly isTerminal: boolean;
}

/** What follows from a batch of facts. */
export interface Decision {
  /** At most one of each parcel; none of a parcel that stays as it is. */
  readonly writes: readonly ParcelWrite[];
  readonly outcomes: readonly Outcome[];
}

/** A parcel while facts change it. */
interface Draft {
  readonly before: Parcel | undefined;
  parcel: Parcel | undefined;
  isLeaseEnded: boolean;
  readonly messages: DomainEvent[];
}

/** The next state of a parcel; undefined when the fact changes nothing. */
interface Step {
  readonly parcel: Parcel;
  readonly isLeaseEnded?: boolean;
  readonly change?: StatusChange | undefined;
  readonly hasNewNodes?: true;
}

/**
 * Decides what a batch of facts changes, fact by fact in the given order. A batch of one is a batch.
 * @param known what is stored of the parcels of the batch
 * @param environment for the events
 */
export function decide(facts: readonly ParcelFact[], known: (key: ParcelKey) => Parcel | undefined, environment: Environment): Decision {
  const drafts = new Map<string, Draft>();
  const draftOf = (key: ParcelKey): Draft => {
    const id = keyText(key);
    const found = drafts.get(id);
    if (found !== undefined) return found;
    const before = known(key);
    const draft: Draft = { before, parcel: before, isLeaseEnded: false, messages: [] };
    drafts.set(id, draft);
    return draft;
  };
  const outcomes = facts.map((fact): Outcome => {
    const draft = draftOf(parcelOf(fact));
    if (fact.type === 'dispatched') return applyDispatch(draft, () => draftOf(parcelKey(fact, fact.trackingNumber)), fact);
    const step = stepOf(draft.parcel, fact);
    if (step !== undefined) applyStep(draft, step, fact, environment);
    const endsWatch = fact.type === 'rescheduled' && step?.parcel.shipment?.nextPollAt === null;
    return { isChanged: step !== undefined, ...(step?.hasNewNodes && { hasNewNodes: true }), ...(endsWatch && { endsWatch }) };
  });
  const writes = [...drafts.values()].flatMap((draft) => writeOf(draft) ?? []);
  return { writes, outcomes };
}

/** A poll of the parcel that is under way ends: what it was asked for is another watch. */
function applyDispatch(first: Draft, furtherDraft: () => Draft, fact: Dispatch): Outcome {
  const { first: changed, further } = dispatchParcel(first.parcel, () => furtherDraft().parcel, fact);
  const watched = further === undefined ? first : furtherDraft();
  const isNewWatch = (further ?? changed)?.shipment?.watch !== watched.parcel?.shipment?.watch;
  if (changed !== undefined) first.parcel = changed;
  if (further !== undefined) watched.parcel = further;
  if (isNewWatch) watched.isLeaseEnded = true;
  return { isChanged: changed !== undefined || further !== undefined };
}

function stepOf(parcel: Parcel | undefined, fact: Exclude<ParcelFact, { type: 'dispatched' }>): Step | undefined {
  const shipment = parcel?.shipment;
  if (parcel === undefined || shipment === undefined) return undefined;
  if (fact.type === 'response') return respond(parcel, shipment, fact);
  if (fact.type === 'rescheduled') return reschedule(parcel, shipment, fact);
  if (fact.type === 'asked') return ask(parcel, shipment, fact);
  if (fact.type === 'registered') return register(parcel, shipment, fact);
  return { parcel: { ...parcel, shipment: settled({ ...shipment, nextPollAt: fact.now, wakes: shipment.wakes + 1 }) }, isLeaseEnded: true };
}

function applyStep(draft: Draft, { parcel, isLeaseEnded = false, change }: Step, fact: ParcelFact, environment: Environment): void {
  draft.parcel = parcel;
  draft.isLeaseEnded ||= isLeaseEnded;
  if (change === undefined || fact.type !== 'response') return;
  draft.messages.push(trackingChanged(parcel, change, fact, environment));
}

/**
 * Adds the nodes that the history lacks. A newest node whose admin_status differs from the one published last is a change; a
 * final one ends the watch, and a correction of one resumes it. A response for a former watch changes nothing.
 */
function respond(parcel: Parcel, shipment: DispatchedParcel, { shipment: asked, nodes, now, report }: CarrierResponse): Step | undefined {
  if (!isSameWatch(shipment, asked)) return undefined;
  const next = addToHistory(parcel, nodes);
  const known = report === undefined ? shipment : afterReport(shipment, report, now);
  if (next === parcel) return known === shipment ? undefined : { parcel: { ...parcel, shipment: known } };
  const change = changeOf(shipment.publishedStatus, next.nodes?.at(-1)?.adminStatus);
  const { nextPollAt, wakes } = shipment;
  // News at the carrier since it was asked: the watch must not end yet.
  const ends = change?.isTerminal === true && wakes === asked.wakes;
  const resumes = change !== undefined && !ends && isTerminalAdminStatus(change.previous);
  const watched: DispatchedParcel = {
    ...known,
    lastChangeAt: now,
    ...(change && { publishedStatus: change.current }),
    ...(ends && { nextPollAt: pollAfterEnd({ ...known, lastChangeAt: now }, now) }),
    ...(resumes && { nextPollAt: Math.min(nextPollAt ?? now, now), wakes: wakes + 1 }),
  };
  return { parcel: { ...next, shipment: settled(watched) }, change, hasNewNodes: true };
}

/** The newest node has another status than was published last. That holds after a final status too: a carrier that corrects itself is a change. */
function changeOf(previous: AdminStatus | '', current: AdminStatus | undefined): StatusChange | undefined {
  if (current === undefined || current === previous) return undefined;
  return { previous, current, isTerminal: isTerminalAdminStatus(current) };
}

/** The event of a change, in the trace of what had the carrier asked. */
function trackingChanged(
  { tenantId, forecastNo, poNumber }: Parcel,
  change: StatusChange,
  { now, traceparent, shipment: { trackingNumber } }: CarrierResponse,
  environment: Environment,
): DomainEvent<'tracking.changed'> {
  return createDomainEvent({
    type: 'tracking.changed',
    publisher: 'tracking',
    tenantId,
    environment,
    subject: forecastNo,
    time: now,
    traceparent,
    data: {
      forecast_no: forecastNo,
      po_number: poNumber,
      tracking_number: trackingNumber,
      previous_admin_status: change.previous,
      admin_status: change.current,
      is_terminal: change.isTerminal,
      changed_at: isoInstant(now),
    },
  });
}

/** The first parcel of a forecast may have gone, by its retention, and another one be in its place. */
function isSameWatch(shipment: DispatchedParcel, asked: Shipment): boolean {
  return shipment.watch === asked.watch && shipment.trackingNumber === asked.trackingNumber;
}

/** Details are needed while a shipment is watched, and no longer. */
function settled(shipment: DispatchedParcel): DispatchedParcel {
  return shipment.nextPollAt === null ? { ...shipment, sealedDetails: null } : shipment;
}

/** The shipment once its source has reported it. */
function afterReport(shipment: DispatchedParcel, { registration = shipment.registration }: SourceReport, now: number): DispatchedParcel {
  if (isSameRegistration(registration, shipment.registration) && shipment.reportedAt >= now) return shipment;
  return { ...shipment, registration, askedAt: Math.max(shipment.askedAt, now), reportedAt: Math.max(shipment.reportedAt, now) };
}

function isSameRegistration(a: Registration | null, b: Registration | null): boolean {
  if (a === null || b === null) return a === b;
  return a.connectionId === b.connectionId && a.reference === b.reference && a.isTaken === b.isTaken && a.at === b.at;
}

/** Keeps a registration, which was paid for, whatever comes of the question behind it. */
function register(parcel: Parcel, shipment: DispatchedParcel, fact: Extract<ParcelFact, { type: 'registered' }>): Step | undefined {
  if (!isSameWatch(shipment, fact.shipment)) return undefined;
  return { parcel: { ...parcel, shipment: { ...shipment, registration: fact.registration } } };
}

/** Notes a question, unless the last one was less than the gap ago. */
function ask(parcel: Parcel, shipment: DispatchedParcel, { shipment: asked, now, gapMs, isRefused }: Question): Step | undefined {
  if (!isSameWatch(shipment, asked) || now - shipment.askedAt < gapMs) return undefined;
  return { parcel: { ...parcel, shipment: { ...shipment, askedAt: now, ...(isRefused && { reportedAt: now }) } } };
}

/** Gives a shipment back after a poll. One with news since stays due. */
function reschedule(parcel: Parcel, shipment: DispatchedParcel, fact: Reschedule): Step | undefined {
  const { shipment: polled, failures, now } = fact;
  if (shipment.trackingNumber !== polled.trackingNumber || shipment.wakes !== polled.wakes) return undefined;
  const nextPollAt = isTerminalAdminStatus(shipment.publishedStatus) ? pollAfterEnd(shipment, now) : fact.nextPollAt;
  return { parcel: { ...parcel, shipment: settled({ ...shipment, nextPollAt, failures }) }, isLeaseEnded: true };
}

function writeOf({ before, parcel: after, isLeaseEnded, messages }: Draft): ParcelWrite | undefined {
  return after === undefined || after === before ? undefined : { before, after, isLeaseEnded, messages };
}
