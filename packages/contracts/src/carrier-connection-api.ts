import Type, { type Static } from 'typebox';
import { mapOf, object, titled } from './object.ts';
import { CARRIER_PATTERN, CREDENTIAL_PATTERN, instant, nullable, oneOf } from './text.ts';
import { inputWarnings } from './warnings.ts';

/** The vendors of tracking data that a tenant can connect. */
export const connectableSources = ['17track', 'easypost', 'aftership', 'ups', 'dhl', 'yunexpress'] as const;
/** Connections that one owner may have. */
export const MAX_CONNECTIONS = 50;
/** Carriers that one connection may name. */
export const MAX_CONNECTION_CARRIERS = 200;
/** Credentials that one body may name; no source takes as many. */
const MAX_CREDENTIALS = 20;

const carriers = Type.Array(Type.String({ minLength: 1, maxLength: 64, pattern: CARRIER_PATTERN }), {
  minItems: 1,
  maxItems: MAX_CONNECTION_CARRIERS,
  description: 'Codes of the carriers that the connection serves, in any case; `*` for every carrier but `simulated`',
});
const credential = Type.String({ minLength: 1, maxLength: 4096, pattern: CREDENTIAL_PATTERN });
const namesOfCredentials = { maxProperties: MAX_CREDENTIALS, propertyNames: { minLength: 1, maxLength: 40 } };

/** What the vendor grants an account. Closed: a mistyped name would leave the standard limit in force without a word. */
export const ConnectionLimits = Type.Object(
  {
    requests_per_second: Type.Optional(
      Type.Number({ exclusiveMinimum: 0, maximum: 1000, description: 'Calls in a second; below 1 for one call in several seconds' }),
    ),
    calls_per_day: Type.Optional(
      Type.Integer({ minimum: 1, maximum: 100_000_000, description: 'Calls of every kind in a day, which begins at 00:00 UTC' }),
    ),
    fetches_per_parcel_per_day: Type.Optional(
      Type.Integer({ minimum: 1, maximum: 1000, description: 'Calls for one parcel in 24 hours, spread evenly' }),
    ),
  },
  {
    $id: 'ConnectionLimits',
    title: 'Limits of a connection',
    additionalProperties: false,
    minProperties: 1,
    description:
      'Limits that the source grants your account. A limit that you leave out keeps its standard value. A change replaces all of them; `null` restores the standard limits',
  },
);
export type ConnectionLimits = Static<typeof ConnectionLimits>;

/** What may be written of a connection, whoever writes it. */
export const connectionFields = {
  carriers,
  credentials: mapOf(credential, {
    ...namesOfCredentials,
    description: 'Keys and secrets of your account with the source, by name. No response shows them',
  }),
  credentialChanges: mapOf(nullable(credential), {
    ...namesOfCredentials,
    description:
      'The credentials to replace, by name; all others stay. `null` removes an optional one. The former value of a secret that proves pushes is kept as `previous_<name>`: pushes signed with either are accepted until you remove it',
  }),
} as const;

/** Body that connects an account. */
export const ConnectionCreation = object('ConnectionCreation', {
  source: oneOf(connectableSources, 'Vendor of the account'),
  carriers: connectionFields.carriers,
  credentials: connectionFields.credentials,
  limits: Type.Optional(ConnectionLimits),
});
export type ConnectionCreation = Static<typeof ConnectionCreation>;

/** Body that changes a connection: only the fields given. */
export const ConnectionChange = Type.Object(
  {
    carriers: Type.Optional(carriers),
    credentials: Type.Optional(connectionFields.credentialChanges),
    limits: Type.Optional(nullable(ConnectionLimits)),
  },
  { $id: 'ConnectionChange', minProperties: 1 },
);
export type ConnectionChange = Static<typeof ConnectionChange>;

/** A connection, without its credentials. */
export const CarrierConnection = titled('CarrierConnection', 'Carrier connection', {
  connection_id: Type.String(),
  source: Type.String({ description: 'Vendor of the account' }),
  carriers: Type.Array(Type.String(), { description: 'Carrier codes in lower case; `*` for every carrier but `simulated`' }),
  credential_names: Type.Array(Type.String(), {
    description: 'Names of the stored credentials. Empty when they cannot be read any more: send all of them again',
  }),
  push_url: nullable(
    Type.String({
      description: 'Where the source sends its pushes; enter it there as it is, and keep it secret. null when the source does not push',
    }),
  ),
  limits: nullable(ConnectionLimits),
  create_time: instant('When it was created'),
  update_time: instant('When it last changed'),
});
export type CarrierConnection = Static<typeof CarrierConnection>;

/** A connection after it was created or changed. */
export const ConnectionSaved = object('ConnectionSaved', { ...CarrierConnection.properties, warnings: inputWarnings });

/** `data` of the list. */
export const CarrierConnectionList = object('CarrierConnectionList', {
  connections: Type.Array(CarrierConnection, { description: `Oldest first, at most ${MAX_CONNECTIONS}` }),
});
export type CarrierConnectionList = Static<typeof CarrierConnectionList>;

/** `data` of a deletion. */
export const ConnectionDeletion = object('ConnectionDeletion', { connection_id: Type.String(), deleted: Type.Literal(true) });

/** What a test may show. */
export const connectionTestResults = ['works', 'access_denied', 'unavailable'] as const;
export type ConnectionTestResult = (typeof connectionTestResults)[number];

/** `data` of a test. */
export const ConnectionTest = titled('ConnectionTest', 'Connection test', {
  connection_id: Type.String(),
  result: oneOf(
    connectionTestResults,
    'works: the source accepts the credentials; access_denied: the source refuses the credentials; unavailable: the source fails or limits calls, so the credentials could not be checked',
  ),
  message: Type.String({ description: 'What it means and what to do next, as a sentence for people' }),
});
export type ConnectionTest = Static<typeof ConnectionTest>;
