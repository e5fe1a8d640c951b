// Node 20 or newer, with the client of the platform, @parcelway/sdk.
import { verifyWebhook, WebhookVerificationError } from '@parcelway/sdk';

/**
 * What a receiver responds.
 * @param rawBody the body as it came, as text or bytes; not parsed
 * @param headers of node:http, or a Headers
 * @param secret of the endpoint (whsec_…), or several
 * @param handle gets the event; put it into a queue of your own, the platform waits at most 15 seconds
 * @param options leave it out; a test with a recorded webhook gives the time of that webhook as `now`, a Date
 * @returns the HTTP status
 */
export function receive(rawBody, headers, secret, handle, options) {
  try {
    handle(verifyWebhook(rawBody, headers, secret, options));
    return 204;
  } catch (error) {
    if (!(error instanceof WebhookVerificationError)) throw error;
    console.warn(`Webhook refused: ${error.message}`);
    return 401;
  }
}
