// The signed webhook that the documentation shows.
import { createHmac } from 'node:crypto';
import { webhookExamples } from '@parcelway/contracts/examples';

/** A signed webhook to try a verification with; its timestamp is long past. */
export function signatureVector() {
  const id = webhookExamples['parcel.weighed'].data.event_id;
  const timestamp = Math.floor(Date.parse(webhookExamples['parcel.weighed'].timestamp) / 1000);
  const body = JSON.stringify(webhookExamples['parcel.weighed']);
  const secret = `whsec_${Buffer.from('an example secret of 32 bytes !!').toString('base64')}`;
  const signature = createHmac('sha256', Buffer.from(secret.slice('whsec_'.length), 'base64'))
    .update(`${id}.${timestamp}.${body}`)
    .digest('base64');
  return [
    '```text',
    `secret             ${secret}`,
    `webhook-id         ${id}`,
    `webhook-timestamp  ${timestamp}`,
    `webhook-signature  v1,${signature}`,
    `body               ${body}`,
    '```',
  ].join('\n');
}
