// The one address that users import from; inside the package every file imports what it needs where it is.
// biome-ignore-all lint/performance/noBarrelFile: the entry of a published package
// biome-ignore-all lint/performance/noReExportAll: types alone, which cost nothing
export { type AcceptedForecast, acceptedForecasts, type FailedForecast, failedForecasts, validatedForecasts } from './batch.ts';
export type { Content, ContentStream, ImportUpload, PdfUpload, Upload } from './content.ts';
export type { EventFeed, FollowOptions } from './event-feed.ts';
export type * from './generated/activity-api.ts';
export type * from './generated/carrier-api.ts';
export type * from './generated/carrier-connection-api.ts';
export type * from './generated/console-api.ts';
export type { EndpointDisabledWebhook, EndpointTestWebhook } from './generated/endpoint-webhooks.ts';
export type * from './generated/file-api.ts';
export type * from './generated/forecast-api.ts';
export type * from './generated/forecast-batch-api.ts';
export type * from './generated/forecast-correction-api.ts';
export type * from './generated/forecast-counts-api.ts';
export type * from './generated/forecast-query-api.ts';
export type * from './generated/forecast-submission-api.ts';
export type * from './generated/forecast-validation-api.ts';
export type * from './generated/import-api.ts';
export type * from './generated/key-api.ts';
export type * from './generated/own-files-api.ts';
export type * from './generated/own-images-api.ts';
export type { ParcelWeighedWebhook } from './generated/parcel-webhooks.ts';
export type * from './generated/po-number.ts';
export type * from './generated/sandbox-api.ts';
export type * from './generated/tracking-api.ts';
export type { TrackingChangedWebhook } from './generated/tracking-webhooks.ts';
export type * from './generated/warehouse-api.ts';
export type * from './generated/warehouse-view-api.ts';
export type * from './generated/warnings.ts';
export type {
  Delivery,
  DeliveryAttempt,
  DeliveryDetail,
  DeliveryListQuery,
  ReplayRequest,
  TestDelivery,
  TestRequest,
} from './generated/webhook-delivery-api.ts';
export type {
  EndpointChange,
  EndpointCreated,
  EndpointCreation,
  EndpointFilter,
  EndpointHealth,
  RotationRequest,
  SecretRotated,
  WebhookEndpoint,
} from './generated/webhook-endpoint-api.ts';
export type { WebhookEvent } from './generated/webhook-event.ts';
export type * from './generated/webhook-figures-api.ts';
export type * from './generated/weighing-api.ts';
export type { CallOptions, ParcelwayOptions, ResponseInfo, RetryNotice } from './options.ts';
export type { Paged } from './paged.ts';
export { Parcelway } from './parcelway.ts';
export { type ConnectionFailure, type FieldError, ParcelwayConnectionError, ParcelwayError } from './parcelway-error.ts';
export type { EventListQuery } from './resources/events.ts';
export type { WaitOptions } from './resources/imports.ts';
export type { ListenRequest } from './resources/sandbox.ts';
export {
  type RefusalReason,
  type VerifyOptions,
  verifyWebhook,
  type WebhookHeaders,
  WebhookVerificationError,
} from './verify-webhook.ts';
