import { errorCodes } from '@parcelway/kernel/error-codes';
import Type, { type Static } from 'typebox';
import { auditActions, auditActorTypes, auditOutcomes, auditResources } from './audited-routes.ts';
import { sessionKinds } from './key-api.ts';
import { object } from './object.ts';
import { pageOf } from './page.ts';
import { day, identifier, instant, nullable, oneOf, pageQuery } from './text.ts';
import { queryWarnings } from './warnings.ts';

/** How long entries of the audit log are kept; days. */
export const AUDIT_KEPT_DAYS = 366;
/** How long failed calls are kept; days. */
export const FAILED_CALLS_KEPT_DAYS = 7;
/** Days that one query of the usage may span, both ends included. */
export const MAX_USAGE_DAYS = 92;
/** Failed calls of one tenant that each gateway records: so many at once, then one in so many seconds. The rest is counted in the usage alone. */
export const FAILED_CALLS_RECORDED = { burst: 100, everySeconds: 4 } as const;

const page = {
  ...pageQuery(20),
};

/** Query of the audit log. */
export const AuditLogQuery = object('AuditLogQuery', {
  ...page,
  action: Type.Optional(oneOf(auditActions, 'Only entries of this action')),
  created_from: Type.Optional(instant('Only entries at or after this instant')),
  created_to: Type.Optional(instant('Only entries before this instant')),
});
export type AuditLogQuery = Static<typeof AuditLogQuery>;

/** Who made a change. */
export const AuditActor = object('AuditActor', {
  type: oneOf(auditActorTypes, 'key: a key of the tenant; operator: the operator of the platform'),
  id: nullable(Type.String({ description: '`key_id` of the key; null for an operator' })),
  address: nullable(Type.String({ description: 'IP address of the client; null for an operator' })),
  session: Type.Optional(
    oneOf(
      sessionKinds,
      'What acted for the key. session: a session of the console; link: a link to the console. Absent: the key itself, or an operator',
    ),
  ),
});

/** What was changed. */
export const AuditResource = object('AuditResource', {
  type: oneOf(auditResources, 'Kind of the resource'),
  id: nullable(
    Type.String({
      description: 'Such as a key_id, a po_number or an endpoint_id; null: not known, for example because the outcome is unknown',
    }),
  ),
});

/** An entry of the audit log. */
export const AuditEntry = object('AuditEntry', {
  entry_id: Type.String(),
  time: instant('When the request came'),
  action: oneOf(auditActions, 'What was done'),
  actor: AuditActor,
  resource: AuditResource,
  outcome: oneOf(
    auditOutcomes,
    'success: the change was made. unknown: the platform failed or was interrupted, so the change may have been made or not. Refused requests are no entries; see the failed calls',
  ),
  request_id: Type.String({ description: '`X-Request-Id` of the response' }),
});
export type AuditEntry = Static<typeof AuditEntry>;

/** A page of the audit log, newest first. */
export const AuditLog = pageOf('AuditLog', 'entries', AuditEntry);
export type AuditLog = Static<typeof AuditLog>;

/** Query of the failed calls. */
export const FailedCallsQuery = object('FailedCallsQuery', {
  ...page,
  request_id: Type.Optional(identifier(1, 64, 'Only calls with this `X-Request-Id`')),
  key_id: Type.Optional(identifier(1, 64, 'Only calls with this key')),
  code: Type.Optional(oneOf(errorCodes, 'Only calls with this `code`')),
  created_from: Type.Optional(instant('Only calls at or after this instant')),
  created_to: Type.Optional(instant('Only calls before this instant')),
});
export type FailedCallsQuery = Static<typeof FailedCallsQuery>;

/** A call that failed. */
export const FailedCall = object('FailedCall', {
  request_id: Type.String({ description: '`X-Request-Id` of the response' }),
  time: instant('When the request came'),
  method: Type.String(),
  route: nullable(
    Type.String({ description: 'Route of the reference, such as `/open/v1/forecasts/{po_number}`; null: there is no such route' }),
  ),
  path: Type.String({ description: 'Path without the query, at most 500 characters' }),
  status: Type.Integer({ description: 'HTTP status; 499: you closed the connection before the response' }),
  code: nullable(Type.String({ description: '`code` of the response; null: there was none' })),
  message: nullable(Type.String({ description: '`message` of the response' })),
  data: nullable(
    Type.Object(
      {},
      {
        description: '`data` of the response, such as the fields with errors; null when there was none or it is larger than 4 kB',
        additionalProperties: true,
      },
    ),
  ),
  key_id: Type.String({ description: 'The key that made the call' }),
  duration_ms: Type.Integer(),
});
export type FailedCall = Static<typeof FailedCall>;

/** A page of failed calls, newest first. */
export const FailedCallList = pageOf('FailedCallList', 'requests', FailedCall);
export type FailedCallList = Static<typeof FailedCallList>;

/** Query of the usage. */
export const UsageQuery = object('UsageQuery', {
  from_date: Type.Optional(day('First day, UTC; default: 30 days before `to_date`')),
  to_date: Type.Optional(day(`Last day, UTC, at most ${MAX_USAGE_DAYS - 1} days after \`from_date\`; default: today`)),
});
export type UsageQuery = Static<typeof UsageQuery>;

const amounts = {
  calls: Type.Integer({ description: 'Requests with a key of yours' }),
  failed_calls: Type.Integer({ description: 'Those with a status of 400 or more' }),
  parcels: Type.Integer({ description: 'Forecasts that were accepted' }),
  events: Type.Integer({ description: 'Events that happened for your webhooks' }),
  files: Type.Integer({ description: 'Files and images that were uploaded' }),
  stored_bytes: Type.Integer({ description: 'Their size; bytes. What is deleted later stays counted: `storage` says what is kept' }),
};

/** What is stored at one moment. */
export const UsageStorage = object('UsageStorage', {
  files: Type.Integer({ description: 'PDFs and images of yours, without those that you or the platform have deleted' }),
  bytes: Type.Integer({ description: 'Their size; bytes' }),
});
export type UsageStorage = Static<typeof UsageStorage>;

const stored = (description: string) => Type.Union([UsageStorage, Type.Null()], { description });

/** What was used in a day. */
export const UsageDay = object('UsageDay', {
  date: day('Day, UTC'),
  ...amounts,
  storage: stored(
    'What was stored when the day was measured, which is once, soon after it begins. null: not measured in that day, such as the day of your first upload',
  ),
});
export type UsageDay = Static<typeof UsageDay>;

/** What was used in several days. */
export const UsageTotal = object('UsageTotal', {
  ...amounts,
  storage: stored('Latest measurement of these days, not a sum; null when none was measured'),
});
export type UsageTotal = Static<typeof UsageTotal>;

/** The usage, oldest day first, each day of the range. */
export const Usage = object('Usage', { days: Type.Array(UsageDay), total: UsageTotal, warnings: queryWarnings });
export type Usage = Static<typeof Usage>;
