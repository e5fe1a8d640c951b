// The entry for ES modules: the same classes as those that CommonJS gets, so that `instanceof` holds in a program that loads the package both ways.
// biome-ignore-all lint/performance/noBarrelFile: the entry of a published package
// biome-ignore-all lint/performance/noReExportAll: types alone, which cost nothing
export type * from './index.ts';
export {
  acceptedForecasts,
  failedForecasts,
  Parcelway,
  ParcelwayConnectionError,
  ParcelwayError,
  validatedForecasts,
  verifyWebhook,
  WebhookVerificationError,
} from './index.ts';
