// The signed webhook that the documentation shows.
import { createHmac } from 'node:crypto';
import { webhookExamples } from '@parcelway/contracts/webhook-examples';

/** A signed webhook to try a verification with, and how: its timestamp is long past, so each example is run with the clock set to it. */
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
    '',
    '| Example | Try it with |',
    '| --- | --- |',
    `| Node, client | \`verifyWebhook(body, headers, secret, { now: new Date(${timestamp}000) })\` |`,
    `| Node, \`standardwebhooks\` | \`new Webhook(secret).sign(id, new Date(${timestamp}000), body)\`, which gives the \`webhook-signature\`; \`verify\` knows only the present |`,
    `| Python | \`verify_webhook(body, headers, secret, now=${timestamp})\`, standalone or of the client, with \`body\` as bytes |`,
    `| Go | \`Verify(body, headers, secret, time.Unix(${timestamp}, 0))\` |`,
    `| Java | \`VerifyWebhook.verify(body, headers, secret, ${timestamp})\`, with \`body\` as bytes |`,
    `| PHP | \`verifyWebhook($body, $headers, $secret, ${timestamp})\` |`,
  ].join('\n');
}
