import Type, { type Static } from 'typebox';
import { CarrierConnection, ConnectionLimits, connectionFields } from './carrier-connection-api.ts';
import { object } from './object.ts';
import { BASE_URL_PATTERN, CONNECTION_ID_PATTERN, instant, nullable } from './text.ts';

/*
 * Connections to vendors of tracking data that the operator manages. A part of admin-api.ts, which lists the routes.
 */

const baseUrl = Type.String({ maxLength: 2048, pattern: BASE_URL_PATTERN, description: "Instead of the vendor's own address" });

/** A connection as operators write it: a body, and each member of TRACKING_SOURCES. */
export const OperatorConnection = Type.Object(
  {
    id: Type.Optional(Type.String({ pattern: CONNECTION_ID_PATTERN, description: 'Id; default: a random one' })),
    source: Type.String({ maxLength: 40, description: 'Vendor' }),
    base_url: Type.Optional(baseUrl),
    carriers: connectionFields.carriers,
    credentials: connectionFields.credentials,
    limits: Type.Optional(ConnectionLimits),
  },
  { $id: 'OperatorConnection', additionalProperties: false },
);
export type OperatorConnection = Static<typeof OperatorConnection>;

/** Body that changes a connection of the operator: only the fields given. */
export const OperatorConnectionChange = Type.Object(
  {
    base_url: Type.Optional(nullable(baseUrl)),
    carriers: Type.Optional(connectionFields.carriers),
    credentials: Type.Optional(connectionFields.credentialChanges),
    limits: Type.Optional(nullable(ConnectionLimits)),
  },
  { $id: 'OperatorConnectionChange', additionalProperties: false, minProperties: 1 },
);
export type OperatorConnectionChange = Static<typeof OperatorConnectionChange>;

/** A connection of the operator, without its credentials. */
export const ConnectionOfOperator = object('ConnectionOfOperator', {
  ...CarrierConnection.properties,
  base_url: nullable(Type.String({ description: "null: the vendor's own address" })),
  configured: Type.Boolean({ description: 'True for a connection of TRACKING_SOURCES: it is changed there' }),
  create_time: nullable(instant('When it was created; null for a configured one')),
  update_time: nullable(instant('When it last changed; null for a configured one')),
});
export type ConnectionOfOperator = Static<typeof ConnectionOfOperator>;
