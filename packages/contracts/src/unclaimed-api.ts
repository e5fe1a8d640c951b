import Type, { type Static } from 'typebox';
import { object } from './object.ts';
import { pageOf } from './page.ts';
import { INTEGER_TO_1000_PATTERN, instant, integerInQuery, nullable, oneOf, pageQuery, text, visibleText, warehouseCode } from './text.ts';
import { FieldError, warehouseEventTypes } from './warehouse-api.ts';
import { queryWarnings } from './warnings.ts';

/** Why an event waits, as shown to its warehouse. It does not show whether a forecast for another warehouse exists. */
export const waitingReasons = ['no_forecast', 'ambiguous', 'takes_no_dispatch'] as const;
export type WaitingReason = (typeof waitingReasons)[number];

const waitingReason = oneOf(
  waitingReasons,
  'no_forecast: none is known at this warehouse; ambiguous: several declare the number; takes_no_dispatch: a dispatch of a type 1 forecast',
);

/** Most candidates that are shown of an ambiguous event. */
export const MAX_CANDIDATES = 50;

const candidates = Type.Array(Type.String(), {
  description: `Numbers of the forecasts of this warehouse that it may be for, when it is ambiguous; at most ${MAX_CANDIDATES}`,
});

/** Query of a warehouse's list of unclaimed parcels. */
export const WaitingEventQuery = object('WaitingEventQuery', {
  reason: Type.Optional(waitingReason),
  ...pageQuery(50),
});

/** An event of this warehouse that waits for its forecast. */
export const WaitingEvent = object('WaitingEvent', {
  id: Type.String({ description: 'The `event_id` that was reported' }),
  type: oneOf(warehouseEventTypes, 'What was reported'),
  express_no: nullable(Type.String({ description: 'As scanned' })),
  forecast_no: nullable(Type.String({ description: 'As reported' })),
  reason: waitingReason,
  candidates,
  occurred_at: instant('When it happened in the warehouse'),
  received_at: instant('When the platform received it'),
});
export type WaitingEvent = Static<typeof WaitingEvent>;

/** A page of what waits, oldest first. */
export const WaitingEventList = pageOf('WaitingEventList', 'parcels', WaitingEvent);
export type WaitingEventList = Static<typeof WaitingEventList>;

/** Body that says whose parcel it is. */
export const UnclaimedClaim = object('UnclaimedClaim', {
  forecast_no: text(1, 64, 'Forecast of this warehouse that the parcel belongs to'),
});

/** Body that gives a parcel up. */
export const UnclaimedDismissal = object('UnclaimedDismissal', {
  reason: visibleText(500, 'Why the parcel is dismissed, as text for people'),
});

/** What a warehouse can do with what waits. */
export const resolutionActions = ['claim', 'dismiss'] as const;

/** What ended the waiting of events. */
export const ResolutionResult = object('ResolutionResult', {
  id: Type.String({ description: 'The event that the first call named' }),
  action: oneOf(resolutionActions, 'What was done'),
  forecast_no: nullable(Type.String({ description: 'Of a claim' })),
  reason: nullable(Type.String({ description: 'Of a dismissal' })),
  events: Type.Integer({ description: 'Number of events that no longer wait because of it' }),
  resolved_at: instant('When it was done'),
  resolved_by: Type.String({ description: 'Id of the key that did it; `admin` for the operator' }),
});
export type ResolutionResult = Static<typeof ResolutionResult>;

/** Query of the intake's internal list of resolutions, which the operator's API shows. */
export const ResolutionQuery = Type.Object({
  warehouse_code: Type.Optional(text(0, 32, 'Only those of this warehouse')),
  limit: Type.Optional(integerInQuery(INTEGER_TO_1000_PATTERN, 100, '1 to 1000; default 100')),
});

/** A resolution as the operator sees it. */
export const ResolutionRecord = object('ResolutionRecord', { ...ResolutionResult.properties, warehouse_code: Type.String() });
export type ResolutionRecord = Static<typeof ResolutionRecord>;

/** Whose a report is; read by itself from one that has other faults. */
export const ReportOwner = Type.Object({ warehouse_code: warehouseCode('The reporting warehouse') });
/** When a reported event happened; read by itself from one that has other faults. */
export const ReportTime = Type.Object({ occurred_at: instant('When it happened') });

/** States of a reported event. */
export const eventStates = ['applied', 'waiting', 'rejected', 'dismissed'] as const;

/** What became of a reported event. */
export const EventOutcome = object('EventOutcome', {
  event_id: Type.String(),
  type: nullable(oneOf(warehouseEventTypes, 'What was reported; null of a rejected report that does not say')),
  state: oneOf(
    eventStates,
    'applied: to a forecast; waiting: for one; rejected: the report was refused; dismissed: the warehouse or the operator dismissed it',
  ),
  forecast_no: nullable(
    Type.String({ description: 'The forecast that it was applied to; null otherwise, and where it is not known any more' }),
  ),
  waiting_for: nullable(waitingReason),
  candidates,
  code: nullable(Type.String({ description: 'Of a rejected report' })),
  errors: Type.Array(FieldError, { description: 'Faults of a rejected report; at most 20' }),
  occurred_at: nullable(instant('As reported; null of a rejected report that does not say')),
  received_at: instant('When the platform received it'),
  resolved_by: nullable(Type.String({ description: 'Id of the key that claimed or dismissed it; `admin` for the operator' })),
  resolved_at: nullable(instant('When it was claimed or dismissed')),
  reason: nullable(Type.String({ description: 'Of a dismissal' })),
  warnings: queryWarnings,
});
export type EventOutcome = Static<typeof EventOutcome>;
