// Made from the contract by `npm run docs`; do not edit.
import type { EndpointDisabledWebhook, EndpointTestWebhook } from './endpoint-webhooks.ts';
import type { ForecastAcceptedWebhook, ForecastCancelledWebhook, ForecastCorrectedWebhook } from './forecast-webhooks.ts';
import type { ParcelArrivedWebhook, ParcelCompletedWebhook, ParcelDispatchedWebhook, ParcelExceptionWebhook, ParcelPhotographedWebhook, ParcelPutAwayWebhook, ParcelWeighedWebhook } from './parcel-webhooks.ts';
import type { TrackingChangedWebhook } from './tracking-webhooks.ts';

/** An event as a webhook and the feed carry it; `type` says which. */
export type WebhookEvent = EndpointDisabledWebhook | EndpointTestWebhook | ForecastAcceptedWebhook | ForecastCancelledWebhook | ForecastCorrectedWebhook | ParcelArrivedWebhook | ParcelCompletedWebhook | ParcelDispatchedWebhook | ParcelExceptionWebhook | ParcelPhotographedWebhook | ParcelPutAwayWebhook | ParcelWeighedWebhook | TrackingChangedWebhook;
