// Made from the contract by `npm run docs`; do not edit.
import type { ActivityRoutes } from './activity-routes.ts';
import type { CarrierConnectionsRoutes } from './carrier-connections-routes.ts';
import type { CarriersRoutes } from './carriers-routes.ts';
import type { ConsoleRoutes } from './console-routes.ts';
import type { FilesRoutes } from './files-routes.ts';
import type { ForecastsRoutes } from './forecasts-routes.ts';
import type { ImportsRoutes } from './imports-routes.ts';
import type { KeysRoutes } from './keys-routes.ts';
import type { SandboxRoutes } from './sandbox-routes.ts';
import type { TrackingRoutes } from './tracking-routes.ts';
import type { WarehouseIntakeRoutes } from './warehouse-intake-routes.ts';
import type { WarehouseViewRoutes } from './warehouse-view-routes.ts';
import type { WarehousesRoutes } from './warehouses-routes.ts';
import type { WebhookEndpointsRoutes } from './webhook-endpoints-routes.ts';

/** What each route takes and gives. */
export interface RouteTypes extends ForecastsRoutes, TrackingRoutes, ImportsRoutes, CarriersRoutes, WarehouseViewRoutes, CarrierConnectionsRoutes, FilesRoutes, WarehousesRoutes, WarehouseIntakeRoutes, KeysRoutes, ActivityRoutes, ConsoleRoutes, WebhookEndpointsRoutes, SandboxRoutes {}

/** Where each route is, and whether it takes the header Idempotency-Key. */
export const routes = {
  submitForecast: { method: 'POST', path: '/open/v1/forecasts', takesKey: true },
  listForecasts: { method: 'GET', path: '/open/v1/forecasts', takesKey: false },
  countForecasts: { method: 'GET', path: '/open/v1/forecast-counts', takesKey: false },
  exportForecasts: { method: 'GET', path: '/open/v1/forecasts.csv', takesKey: false },
  queryWeighing: { method: 'GET', path: '/open/v1/forecasts/weighing', takesKey: false },
  queryTracking: { method: 'GET', path: '/open/v1/forecasts/tracking', takesKey: false },
  getForecast: { method: 'GET', path: '/open/v1/forecasts/{po_number}', takesKey: false },
  correctForecast: { method: 'PATCH', path: '/open/v1/forecasts/{po_number}', takesKey: true },
  cancelForecast: { method: 'POST', path: '/open/v1/forecasts/{po_number}/cancel', takesKey: false },
  validateForecast: { method: 'POST', path: '/open/v1/forecasts/validate', takesKey: false },
  submitForecastBatch: { method: 'POST', path: '/open/v1/forecasts/batch', takesKey: true },
  queryForecasts: { method: 'POST', path: '/open/v1/forecasts/query', takesKey: false },
  addForecastImage: { method: 'POST', path: '/open/v1/forecasts/{po_number}/images', takesKey: false },
  removeForecastImage: { method: 'DELETE', path: '/open/v1/forecasts/{po_number}/images/{image_number}', takesKey: false },
  importForecasts: { method: 'POST', path: '/open/v1/forecasts/import', takesKey: true },
  listImports: { method: 'GET', path: '/open/v1/forecasts/import', takesKey: false },
  previewImport: { method: 'POST', path: '/open/v1/forecasts/import/preview', takesKey: false },
  getImportTemplateCsv: { method: 'GET', path: '/open/v1/forecasts/import/template.csv', takesKey: false },
  getImportTemplateXlsx: { method: 'GET', path: '/open/v1/forecasts/import/template.xlsx', takesKey: false },
  getImport: { method: 'GET', path: '/open/v1/forecasts/import/{import_id}', takesKey: false },
  listImportRows: { method: 'GET', path: '/open/v1/forecasts/import/{import_id}/rows', takesKey: false },
  getFailedRows: { method: 'GET', path: '/open/v1/forecasts/import/{import_id}/failed-rows', takesKey: false },
  cancelImport: { method: 'POST', path: '/open/v1/forecasts/import/{import_id}/cancel', takesKey: false },
  listCarriers: { method: 'GET', path: '/open/v1/carriers', takesKey: false },
  detectCarriers: { method: 'GET', path: '/open/v1/carriers/detect', takesKey: false },
  listWarehouseCarriers: { method: 'GET', path: '/warehouse/v1/carriers', takesKey: false },
  createConnection: { method: 'POST', path: '/open/v1/carrier-connections', takesKey: true },
  listConnections: { method: 'GET', path: '/open/v1/carrier-connections', takesKey: false },
  getConnection: { method: 'GET', path: '/open/v1/carrier-connections/{connection_id}', takesKey: false },
  updateConnection: { method: 'PATCH', path: '/open/v1/carrier-connections/{connection_id}', takesKey: false },
  deleteConnection: { method: 'DELETE', path: '/open/v1/carrier-connections/{connection_id}', takesKey: false },
  testConnection: { method: 'POST', path: '/open/v1/carrier-connections/{connection_id}/test', takesKey: false },
  uploadPdf: { method: 'POST', path: '/open/v1/files/pdf', takesKey: true },
  uploadImage: { method: 'POST', path: '/open/v1/files/image', takesKey: true },
  listFiles: { method: 'GET', path: '/open/v1/files', takesKey: false },
  getFile: { method: 'GET', path: '/open/v1/files/{attachment_id}', takesKey: false },
  deleteFile: { method: 'DELETE', path: '/open/v1/files/{attachment_id}', takesKey: false },
  createFileUrl: { method: 'POST', path: '/open/v1/files/{attachment_id}/url', takesKey: false },
  openFile: { method: 'GET', path: '/files/{name}', takesKey: false },
  openPhoto: { method: 'GET', path: '/photos/{name}', takesKey: false },
  listWarehouses: { method: 'GET', path: '/open/v1/warehouses', takesKey: false },
  getOwnWarehouse: { method: 'GET', path: '/warehouse/v1/warehouse', takesKey: false },
  uploadPhoto: { method: 'POST', path: '/warehouse/v1/photos', takesKey: true },
  reportEvents: { method: 'POST', path: '/warehouse/v1/events', takesKey: false },
  getEventOutcome: { method: 'GET', path: '/warehouse/v1/events/{event_id}', takesKey: false },
  listUnclaimed: { method: 'GET', path: '/warehouse/v1/unclaimed', takesKey: false },
  claimUnclaimed: { method: 'POST', path: '/warehouse/v1/unclaimed/{id}/claim', takesKey: true },
  dismissUnclaimed: { method: 'POST', path: '/warehouse/v1/unclaimed/{id}/dismiss', takesKey: true },
  listWarehouseForecasts: { method: 'GET', path: '/warehouse/v1/forecasts', takesKey: false },
  getWarehouseForecast: { method: 'GET', path: '/warehouse/v1/forecasts/{forecast_no}', takesKey: false },
  lookUpScan: { method: 'GET', path: '/warehouse/v1/lookup', takesKey: false },
  getOwnAccess: { method: 'GET', path: '/open/v1/me', takesKey: false },
  listKeys: { method: 'GET', path: '/open/v1/keys', takesKey: false },
  createKey: { method: 'POST', path: '/open/v1/keys', takesKey: true },
  getKey: { method: 'GET', path: '/open/v1/keys/{key_id}', takesKey: false },
  updateKey: { method: 'PATCH', path: '/open/v1/keys/{key_id}', takesKey: false },
  rotateKey: { method: 'POST', path: '/open/v1/keys/{key_id}/rotate', takesKey: true },
  revokeKey: { method: 'POST', path: '/open/v1/keys/{key_id}/revoke', takesKey: false },
  listAuditLog: { method: 'GET', path: '/open/v1/audit-log', takesKey: false },
  listFailedCalls: { method: 'GET', path: '/open/v1/requests', takesKey: false },
  getUsage: { method: 'GET', path: '/open/v1/usage', takesKey: false },
  createConsoleSession: { method: 'POST', path: '/open/v1/console/sessions', takesKey: false },
  createConsoleLink: { method: 'POST', path: '/open/v1/console/links', takesKey: false },
  createEndpoint: { method: 'POST', path: '/open/v1/webhook-endpoints', takesKey: true },
  listEndpoints: { method: 'GET', path: '/open/v1/webhook-endpoints', takesKey: false },
  getEndpoint: { method: 'GET', path: '/open/v1/webhook-endpoints/{endpoint_id}', takesKey: false },
  updateEndpoint: { method: 'PATCH', path: '/open/v1/webhook-endpoints/{endpoint_id}', takesKey: false },
  deleteEndpoint: { method: 'DELETE', path: '/open/v1/webhook-endpoints/{endpoint_id}', takesKey: false },
  rotateSecret: { method: 'POST', path: '/open/v1/webhook-endpoints/{endpoint_id}/rotate-secret', takesKey: true },
  sendTestEvent: { method: 'POST', path: '/open/v1/webhook-endpoints/{endpoint_id}/test', takesKey: true },
  listDeliveries: { method: 'GET', path: '/open/v1/webhook-endpoints/{endpoint_id}/deliveries', takesKey: false },
  getEndpointFigures: { method: 'GET', path: '/open/v1/webhook-endpoints/{endpoint_id}/figures', takesKey: false },
  getDelivery: { method: 'GET', path: '/open/v1/webhook-endpoints/{endpoint_id}/deliveries/{delivery_id}', takesKey: false },
  listAttempts: { method: 'GET', path: '/open/v1/webhook-endpoints/{endpoint_id}/deliveries/{delivery_id}/attempts', takesKey: false },
  resendDelivery: { method: 'POST', path: '/open/v1/webhook-endpoints/{endpoint_id}/deliveries/{delivery_id}/resend', takesKey: true },
  replayDeliveries: { method: 'POST', path: '/open/v1/webhook-endpoints/{endpoint_id}/replay', takesKey: true },
  listEvents: { method: 'GET', path: '/open/v1/events', takesKey: false },
  listen: { method: 'GET', path: '/sandbox/v1/listen', takesKey: false },
  simulate: { method: 'POST', path: '/sandbox/v1/simulations', takesKey: true },
} as const satisfies Record<keyof RouteTypes, { method: string; path: string; takesKey: boolean }>;
