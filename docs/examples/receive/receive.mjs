// Node 20 or newer, with the client @parcelway/sdk.
import { Parcelway, verifyWebhook } from '@parcelway/sdk';

const { PARCELWAY_API_KEY: apiKey, PARCELWAY_BASE_URL: baseUrl } = process.env;
const parcelway = new Parcelway({ apiKey, baseUrl });
// Without `after` it returns at once: webhooks from now on.
let { next_cursor: after } = await parcelway.sandbox.listen();
console.log('Waiting for webhooks. Press Ctrl-C to stop.');
for (;;) {
  const { secret, messages, next_cursor } = await parcelway.sandbox.listen({ after });
  for (const { body, headers } of messages) {
    // Throws WebhookVerificationError for one that must not be trusted.
    const { type, data } = verifyWebhook(body, headers, secret);
    console.log('VERIFIED', type, data.po_number);
  }
  after = next_cursor;
}
