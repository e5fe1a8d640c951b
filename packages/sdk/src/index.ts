// The one address that users import from; inside the package every file imports what it needs where it is.
// biome-ignore-all lint/performance/noBarrelFile: the entry of a published package
// biome-ignore-all lint/performance/noReExportAll: types alone, which cost nothing
export { type AcceptedForecast, acceptedForecasts, type FailedForecast, failedForecasts, validatedForecasts } from './batch.ts';
export type { EventListQuery, ListenRequest, WaitOptions } from './by-hand.ts';
export type { Content, ContentStream, ImportUpload, PdfUpload, Upload } from './content.ts';
export type { EventFeed, FollowOptions } from './event-feed.ts';
export type * from './generated/types.ts';
export type { CallOptions, ParcelwayOptions, ResponseInfo, RetryNotice } from './options.ts';
export type { Paged } from './paged.ts';
export { Parcelway } from './parcelway.ts';
export { type ConnectionFailure, type FieldError, ParcelwayConnectionError, ParcelwayError } from './parcelway-error.ts';
export {
  type RefusalReason,
  type VerifyOptions,
  verifyWebhook,
  type WebhookHeaders,
  WebhookVerificationError,
} from './verify-webhook.ts';
