import type { EventPhoto } from './domain-events.ts';
import type { Environment } from './environment.ts';
import { type AcceptedSecrets, equal, sign } from './file-receipt.ts';

/** Days after its upload in which an image can be put on a forecast. One that is on no forecast is deleted a day later. */
export const IMAGE_USABLE_DAYS = 30;

/** An image of a merchant as its receipt describes it. */
export interface ImageReceipt extends EventPhoto {
  readonly tenant_id: string;
  readonly environment: Environment;
}

/** The `image_id` that a merchant receives for a stored image. Signed, so that the forecast service needs no call to the file service. */
export function encodeImageId(secret: string, receipt: ImageReceipt): string {
  const body = Buffer.from(JSON.stringify(receipt)).toString('base64url');
  return `im_${body}.${sign(secret, ['image', body])}`;
}

/** The receipt in an `image_id`, or undefined when the file service did not issue it. */
export function decodeImageId(secrets: AcceptedSecrets, imageId: string): ImageReceipt | undefined {
  const [, body, signature] = /^im_([A-Za-z0-9_-]+)\.([A-Za-z0-9_-]{22})$/.exec(imageId) ?? [];
  if (body === undefined || signature === undefined) return undefined;
  if (![secrets].flat().some((secret) => equal(signature, sign(secret, ['image', body])))) return undefined;
  return JSON.parse(Buffer.from(body, 'base64url').toString('utf8')) as ImageReceipt;
}
