import Type, { type Static } from 'typebox';
import { adminStatuses } from './admin-status.ts';
import { object } from './object.ts';
import { exceptionReasons, imageTypes } from './parcel-reports.ts';
import { poNumber } from './po-number.ts';
import { CODE_PATTERN, cursorInQuery, INTEGER_TO_25_PATTERN, integerInQuery, logisticsNumber, nullable, oneOf, text } from './text.ts';
import { TrackingNode } from './tracking-api.ts';
import { receivedQuantities } from './warehouse-api.ts';
import { queryWarnings, Warning } from './warnings.ts';

/** Steps that a simulation can play. */
export const simulationSteps = ['arrive', 'weigh', 'process', 'put_away', 'dispatch', 'track', 'exception', 'hold', 'release'] as const;

const size = (description: string) => Type.Optional(Type.Number({ exclusiveMinimum: 0, maximum: 10000, description }));

/** Body of a simulation: the sandbox plays the warehouse or the carrier for one forecast. */
export const Simulation = Type.Object(
  {
    po_number: poNumber,
    step: oneOf(simulationSteps, 'What happens to the parcel'),
    length_cm: size('weigh: length in cm; default 30'),
    width_cm: size('weigh: width in cm; default 20'),
    height_cm: size('weigh: height in cm; default 10'),
    weight_kg: size('weigh: weight in kg; default 1.25'),
    photos: Type.Optional(Type.Integer({ minimum: 0, maximum: 10, description: 'weigh, exception: number of photos; default 1' })),
    image_types: Type.Optional(
      Type.Array(oneOf(imageTypes, 'Image type'), { maxItems: 10, description: 'arrive: forecast photos taken on arrival' }),
    ),
    received_items: Type.Optional(receivedQuantities('arrive, process, put_away: the whole count of what was received; default none')),
    exception_reason: Type.Optional(oneOf(exceptionReasons, 'exception: what is wrong; default damaged')),
    exception_text: Type.Optional(text(0, 1000, "exception: in the warehouse's own words")),
    hold_reason: Type.Optional(text(0, 500, "hold: in the warehouse's own words")),
    carrier_code: Type.Optional(
      Type.String({ minLength: 1, maxLength: 64, pattern: CODE_PATTERN, description: 'dispatch: carrier; default simulated' }),
    ),
    tracking_number: Type.Optional(
      logisticsNumber(
        "dispatch: the carrier's number; default the forecast's first. track: the parcel, by that number; default the one that was dispatched last",
      ),
    ),
    admin_status: Type.Optional(oneOf(adminStatuses, 'track: status of the new node; required')),
    content: Type.Optional(text(0, 500, 'track: description of the node')),
    address: Type.Optional(text(0, 200, 'track: location of the node')),
    create_time: Type.Optional(TrackingNode.properties.create_time),
    times: Type.Optional(TrackingNode.properties.times),
  },
  {
    $id: 'Simulation',
    if: { properties: { step: { const: 'track' } }, required: ['step'] },
    // biome-ignore lint/suspicious/noThenProperty: a JSON Schema keyword
    then: { required: ['admin_status'] },
  },
);
export type Simulation = Static<typeof Simulation>;

/** `data` of a simulation. */
export const SimulationResult = object('SimulationResult', {
  po_number: Type.String(),
  forecast_no: Type.String(),
  step: Type.String(),
  event_ids: Type.Array(Type.String(), {
    description: "Ids of the warehouse's events that were sent; the events that webhooks carry have ids of their own",
  }),
  warnings: Type.Array(Warning, {
    description:
      'A step that has no effect on this forecast, and fields and parameters that are not known and were ignored, at most 20 of each',
  }),
});
export type SimulationResult = Static<typeof SimulationResult>;

/** Query of listening. */
export const ListenQuery = object('ListenQuery', {
  after: cursorInQuery('`next_cursor` of the previous response; without it, only events from now on'),
  endpoint_id: Type.Optional(
    Type.String({ minLength: 1, maxLength: 64, description: 'Listen as this endpoint: its event types, its filter, its secret' }),
  ),
  event_types: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 500,
      description: 'Only these, separated by commas; default: what the endpoint receives, without one what the feed shows by default',
    }),
  ),
  wait: Type.Optional(integerInQuery(INTEGER_TO_25_PATTERN, 20, 'Seconds to wait for an event, 1 to 25; default 20')),
});

/** `data` of listening: what a receiver would have got. */
export const ListenResult = object('ListenResult', {
  secret: nullable(
    Type.String({
      description:
        'Signs the messages; the same for a tenant at every call. null only with `endpoint_id`: the secret of that endpoint signs, which its creation returned',
    }),
  ),
  messages: Type.Array(
    object('ListenMessage', {
      event_id: Type.String(),
      event_type: Type.String(),
      headers: Type.Record(Type.String(), Type.String(), { description: 'Headers of the webhook, signature included' }),
      body: Type.String({ description: 'Body of the webhook, byte for byte' }),
    }),
    { description: 'Oldest first; empty when nothing came' },
  ),
  next_cursor: Type.String(),
  warnings: queryWarnings,
});
export type ListenResult = Static<typeof ListenResult>;
