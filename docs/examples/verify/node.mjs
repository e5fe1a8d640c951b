// Node, with the reference library: npm install standardwebhooks
import { Webhook, WebhookVerificationError } from 'standardwebhooks';

/**
 * What a receiver responds.
 * @param rawBody the body as it came, as text or Buffer; not parsed
 * @param headers as node:http gives them
 * @param secret of the endpoint (whsec_…)
 * @param handle gets the event; put it into a queue of your own, the platform waits at most 15 seconds
 * @returns the HTTP status
 */
export function receive(rawBody, headers, secret, handle) {
  try {
    handle(new Webhook(secret).verify(rawBody, headers));
    return 204;
  } catch (error) {
    if (!(error instanceof WebhookVerificationError)) throw error;
    console.warn(`Webhook refused: ${error.message}`);
    return 401;
  }
}
