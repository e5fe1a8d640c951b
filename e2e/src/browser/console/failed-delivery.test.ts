import { expect, test } from '@jest/globals';
import { responding, settled, subscribed, weigh } from '../../subscription.ts';
import { useConsole } from './use-console.ts';

/* A delivery that fails, on a real platform with a receiver that fails and recovers: what the merchant sees and does. */

const { stage, signedIn } = useConsole({ WEBHOOK_RETRY_SCHEDULE: '0s,50ms' });

test('a failed delivery is found, explained, resent, and seen to succeed', async () => {
  const { owner, receiver, endpoint } = await subscribed(stage);
  receiver.respond = (_webhook, res) =>
    res.writeHead(503, { 'content-type': 'application/json' }).end('{"error":"stock database is read-only"}');
  const poNumber = await weigh(owner);
  await settled(owner, endpoint.endpoint_id, 'failed');

  const at = await signedIn(owner, '#/webhooks');
  const { page } = at;
  await page.getByRole('link', { name: receiver.url }).click();
  await page.getByRole('region', { name: 'Health' }).getByText('Every attempt has failed since').waitFor();
  await page.getByRole('link', { name: 'Failed', exact: true }).click();
  await page
    .getByRole('row', { name: new RegExp(poNumber) })
    .getByRole('link')
    .click();
  await page.getByText('The receiver returned 503.').waitFor();
  await page.getByText('The last attempt failed').waitFor();
  await page.getByText('"stock database is read-only"').first().waitFor();
  expect(await page.locator('.attempt').count()).toBe(2);

  receiver.respond = responding(204);
  await at.button('Resend').click();
  await page.getByText('Sent again with the same webhook-id.').waitFor();
  await page.getByText('Delivered. Nothing more is sent.').waitFor();
  await page.getByText('Attempt 3').waitFor();
  // The same delivery is found from its event.
  await page.goto(`${new URL(page.url()).origin}${new URL(page.url()).pathname}#/events?type=standard`);
  await at.button('Show details').click();
  const there = page.getByRole('list', { name: 'Deliveries of this event' });
  await there.getByText('Succeeded').waitFor();
  await there.getByRole('link', { name: receiver.url }).click();
  await page.getByText('Attempt 3').waitFor();
  const ids = new Set(receiver.received.map((webhook) => webhook.id));
  expect(ids.size).toBe(1);
  expect(await page.getByRole('group', { name: 'Body' }).last().textContent()).toContain(poNumber);
});
