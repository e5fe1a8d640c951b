/** What an entry of the audit log says was done. */
export const auditActions = [
  'key.created',
  'key.updated',
  'key.rotated',
  'key.revoked',
  'console_link.created',
  'console_session.created',
  'forecast.corrected',
  'forecast.cancelled',
  'forecast.image_added',
  'forecast.image_removed',
  'import.started',
  'import.cancelled',
  'endpoint.created',
  'endpoint.updated',
  'endpoint.deleted',
  'endpoint.secret_rotated',
  'connection.created',
  'connection.updated',
  'connection.deleted',
  'file.deleted',
  'file.url_created',
  'tenant.renamed',
  'tenant.suspended',
  'tenant.resumed',
  'tenant.retention_changed',
  'tenant.numbers_limited',
  'tenant.exported',
] as const;
export type AuditAction = (typeof auditActions)[number];

/** Kinds of what is changed. */
export const auditResources = ['key', 'forecast', 'import', 'endpoint', 'connection', 'file', 'tenant'] as const;
export type AuditResourceType = (typeof auditResources)[number];

/** Who makes changes. */
export const auditActorTypes = ['key', 'operator'] as const;

/** What came of a change. */
export const auditOutcomes = ['success', 'unknown'] as const;
export type AuditOutcome = (typeof auditOutcomes)[number];

/** How a route is audited. */
export interface AuditedRoute {
  readonly action: AuditAction;
  readonly type: AuditResourceType;
  /** Parameter of the path that names the resource, or, when the request creates it, field of `data` of the response. */
  readonly id: { readonly parameter: string } | { readonly created: string };
}

const of = (type: AuditResourceType, action: AuditAction, parameter: string): AuditedRoute => ({ type, action, id: { parameter } });
const creating = (type: AuditResourceType, action: AuditAction, created: string): AuditedRoute => ({ type, action, id: { created } });

/** Id of a tenant's route → how it is audited. */
export const auditedRoutes: Readonly<Record<string, AuditedRoute>> = {
  createKey: creating('key', 'key.created', 'key_id'),
  updateKey: of('key', 'key.updated', 'key_id'),
  rotateKey: of('key', 'key.rotated', 'key_id'),
  revokeKey: of('key', 'key.revoked', 'key_id'),
  createConsoleLink: creating('key', 'console_link.created', 'key_id'),
  createConsoleSession: creating('key', 'console_session.created', 'key_id'),
  correctForecast: of('forecast', 'forecast.corrected', 'po_number'),
  cancelForecast: of('forecast', 'forecast.cancelled', 'po_number'),
  addForecastImage: of('forecast', 'forecast.image_added', 'po_number'),
  removeForecastImage: of('forecast', 'forecast.image_removed', 'po_number'),
  importForecasts: creating('import', 'import.started', 'import_id'),
  cancelImport: of('import', 'import.cancelled', 'import_id'),
  createEndpoint: creating('endpoint', 'endpoint.created', 'endpoint_id'),
  updateEndpoint: of('endpoint', 'endpoint.updated', 'endpoint_id'),
  deleteEndpoint: of('endpoint', 'endpoint.deleted', 'endpoint_id'),
  rotateSecret: of('endpoint', 'endpoint.secret_rotated', 'endpoint_id'),
  createConnection: creating('connection', 'connection.created', 'connection_id'),
  updateConnection: of('connection', 'connection.updated', 'connection_id'),
  deleteConnection: of('connection', 'connection.deleted', 'connection_id'),
  deleteFile: of('file', 'file.deleted', 'attachment_id'),
  createFileUrl: of('file', 'file.url_created', 'attachment_id'),
};

/**
 * Routes of tenants that are not audited, and why: what is submitted names its key in the status history of the forecast, one entry each would be as many
 * as forecasts; the others change nothing that lasts.
 */
export const unauditedRoutes: readonly string[] = [
  'submitForecast',
  'submitForecastBatch',
  'validateForecast',
  'queryForecasts',
  'previewImport',
  'testConnection',
  'uploadPdf',
  'uploadImage',
  'sendTestEvent',
  'resendDelivery',
  'replayDeliveries',
  'simulate',
];
