import Type, { type Static } from 'typebox';
import { object } from './object.ts';
import { pageOf } from './page.ts';
import { cursorInQuery, EXTERNAL_ID_PATTERN, instant, nullable, oneOf, pageQuery } from './text.ts';
import { inputWarnings, queryWarnings } from './warnings.ts';
import { TEST_EVENT_TYPE, tenantEventTypes } from './webhook-event-types.ts';

/** State of a delivery. */
export const deliveryStatuses = ['pending', 'succeeded', 'failed', 'held'] as const;

/** Why the next attempt is when it is. */
export const nextAttemptReasons = ['first', 'schedule', 'retry_after', 'paused', 'queued'] as const;
export type NextAttemptReason = (typeof nextAttemptReasons)[number];

/** One event on its way to one endpoint. */
export const Delivery = object('Delivery', {
  delivery_id: Type.String(),
  endpoint_id: Type.String(),
  event_id: Type.String({ description: 'Equals webhook-id of every attempt' }),
  event_type: Type.String(),
  po_number: nullable(Type.String()),
  status: oneOf(deliveryStatuses, 'held: the endpoint was disabled; replay or resend sends it'),
  attempt_count: Type.Integer(),
  next_attempt_time: nullable(instant('When it is tried next, at the earliest; null unless pending, and while the endpoint is paused')),
  next_attempt_reason: nullable(oneOf(nextAttemptReasons, 'Reason for that time, see the webhook documentation; null unless pending')),
  test: Type.Boolean({ description: 'A test event: sent once; it does not affect the health of the endpoint' }),
  last_status_code: nullable(Type.Integer({ description: 'HTTP status of the last response' })),
  create_time: instant('When the event was accepted for delivery'),
});
export type Delivery = Static<typeof Delivery>;

/** A delivery with what is sent. */
export const DeliveryDetail = object('DeliveryDetail', {
  ...Delivery.properties,
  body: Type.String({
    description:
      'The body of every attempt, byte for byte; what the signature covers. An endpoint with `payload: full` is sent this with the full data added',
  }),
});
export type DeliveryDetail = Static<typeof DeliveryDetail>;

/** Query of the list of deliveries. */
export const DeliveryListQuery = object('DeliveryListQuery', {
  status: Type.Optional(oneOf(deliveryStatuses, 'Only this status')),
  event_id: Type.Optional(
    Type.String({
      pattern: EXTERNAL_ID_PATTERN,
      description:
        'Only the delivery of this event: `data.event_id`, which is `webhook-id` too. `limit` and `cursor` have no effect beside it',
    }),
  ),
  ...pageQuery(20),
});

/** A page of deliveries, newest first. */
export const DeliveryList = pageOf('DeliveryList', 'deliveries', Delivery);

/** Why an attempt had no good response. Open: a receiver can fail in ways that get a code of their own later. */
export const attemptErrorCodes = [
  'status',
  'timeout',
  'address_not_allowed',
  'name_not_resolved',
  'connect_timeout',
  'connection_refused',
  'connection_reset',
  'connection_closed',
  'unreachable',
  'tls',
  'headers_too_large',
  'failed',
] as const;
export type AttemptErrorCode = (typeof attemptErrorCodes)[number];

/** How an attempt ended. */
export const attemptOutcomes = ['succeeded', 'failed'] as const;

/** One try at a delivery. */
export const DeliveryAttempt = object('DeliveryAttempt', {
  attempt_id: Type.String(),
  attempt_number: Type.Integer({ description: 'From 1' }),
  url: Type.String({ description: 'Where it was sent' }),
  start_time: instant('When it started'),
  duration_ms: Type.Integer(),
  outcome: oneOf(attemptOutcomes, 'succeeded: a response of 200 to 299 in time'),
  status_code: nullable(Type.Integer({ description: 'HTTP status; null when there was no response' })),
  error: nullable(Type.String({ description: 'Why there was no good response, as a sentence' })),
  error_code: nullable(
    Type.String({
      description: `Why there was no good response, for programs: ${attemptErrorCodes.join(', ')}; null when there was one. Treat an unknown code as \`failed\``,
    }),
  ),
  retry_after: nullable(Type.String({ description: 'The header Retry-After of the response' })),
  response_body: nullable(Type.String({ description: 'First 1,024 bytes of the response' })),
});
export type DeliveryAttempt = Static<typeof DeliveryAttempt>;

/** `data` of the list of attempts, oldest first. */
export const DeliveryAttemptList = object('DeliveryAttemptList', { attempts: Type.Array(DeliveryAttempt), warnings: queryWarnings });

/** Which events a replay sends. */
export const replayChoices = ['undelivered', 'failed', 'all'] as const;
export type ReplayChoice = (typeof replayChoices)[number];

/** Body of a test. */
export const TestRequest = object('TestRequest', {
  event_type: Type.Optional(
    oneOf(
      [TEST_EVENT_TYPE, ...tenantEventTypes],
      `Type of the event; default ${TEST_EVENT_TYPE}. Any other has made-up data, marked with \`test: true\``,
    ),
  ),
});
export type TestRequest = Static<typeof TestRequest>;

/** `data` of a test: the delivery of the event. */
export const TestDelivery = object('TestDelivery', { ...Delivery.properties, warnings: inputWarnings });

/** Body of a replay. */
export const ReplayRequest = object('ReplayRequest', {
  since: instant('Events at or after this instant'),
  until: Type.Optional(instant('Events before this instant; default now')),
  only: Type.Optional(
    oneOf(
      replayChoices,
      'undelivered (the default): all that has not succeeded; failed: what has used up its schedule; all: what has succeeded, too',
    ),
  ),
  cursor: cursorInQuery('`next_cursor` of the previous call; continues the replay. Send the other fields of that call again'),
});
export type ReplayRequest = Static<typeof ReplayRequest>;

/** `data` of a replay. */
export const ReplayResult = object('ReplayResult', {
  scheduled: Type.Integer({ description: 'Deliveries that this call has made due; at most 10,000' }),
  next_cursor: nullable(Type.String({ description: 'Where the rest of the range begins; null when the whole range was processed' })),
  warnings: inputWarnings,
});
export type ReplayResult = Static<typeof ReplayResult>;
