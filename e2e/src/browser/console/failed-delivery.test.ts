import { describe, expect, test } from '@jest/globals';
import { until } from '@parcelway/kernel/testing/until';
import { deliveries, responding, settled, subscribed, weigh } from '../../subscription.ts';
import { useConsole } from './use-console.ts';

/* A delivery that fails, on a real platform with a receiver that fails and recovers: what the merchant sees and does. */

const { stage, open, signedIn } = useConsole({ WEBHOOK_RETRY_SCHEDULE: '0s,50ms' });

describe('a failed delivery', () => {
  test('is found, explained, resent, and seen to succeed', async () => {
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

  test('that is tried again says when and why', async () => {
    const { owner, receiver, endpoint } = await subscribed(stage);
    receiver.respond = responding(429, { 'retry-after': '90' });
    await weigh(owner);
    const pending = await until(async () =>
      (await deliveries(owner, endpoint.endpoint_id)).find(
        (delivery) => delivery.attempt_count === 1 && delivery.next_attempt_reason === 'retry_after',
      ),
    );
    const { page } = await signedIn(owner, `#/webhooks/${endpoint.endpoint_id}/deliveries/${pending.delivery_id}`);
    const next = page.getByRole('region', { name: 'What happens next' });
    await next.getByText(/^Next attempt in (1 minute|2 minutes|\d\d seconds)$/).waitFor();
    await next.getByText('Your receiver asked for this wait with the header Retry-After. (Retry-After: 90)').waitFor();
    // The delivery waits for as long as it was asked; the endpoint for a minute at most.
    await page.getByRole('link', { name: receiver.url }).click();
    await page
      .getByRole('region', { name: 'Health' })
      .getByText(/Your receiver asked the platform to slow down .+ Sending continues in (1 minute|\d+ seconds)\./)
      .waitFor();
  });

  test('that got no response says why once, and of each attempt before', async () => {
    const { owner, receiver, endpoint } = await subscribed(stage);
    await receiver.stop();
    await weigh(owner);
    const { delivery_id } = await settled(owner, endpoint.endpoint_id, 'failed');
    const { page } = await signedIn(owner, `#/webhooks/${endpoint.endpoint_id}/deliveries/${delivery_id}`);
    const why = page.getByText('The connection was refused.').filter({ visible: true });
    await page.getByRole('region', { name: 'What happens next' }).getByText('The connection was refused.').waitFor();
    expect(await why.count()).toBe(1);
    await page.getByText('Attempt 1').click();
    await until(async () => (await why.count()) === 2);
    expect(await page.getByText('No response was received.').count()).toBe(0);
  });

  test('can be reached and resent with the keyboard alone', async () => {
    const { owner, receiver, endpoint } = await subscribed(stage);
    receiver.respond = responding(500);
    const poNumber = await weigh(owner);
    await settled(owner, endpoint.endpoint_id, 'failed');
    receiver.respond = responding(204);

    const keyboard = await open();
    const { page } = keyboard;
    await keyboard.tabTo(page.getByLabel('API key'));
    await page.keyboard.type(owner.identity.key);
    await page.keyboard.press('Enter');
    await keyboard.arrived('Parcels');
    await keyboard.enter(page.getByRole('link', { name: 'Webhooks', exact: true }));
    await keyboard.arrived('Webhook endpoints');
    await keyboard.enter(page.getByRole('link', { name: receiver.url }));
    await keyboard.arrived(receiver.url);
    await keyboard.enter(page.getByRole('row', { name: new RegExp(poNumber) }).getByRole('link'));
    await keyboard.arrived('parcel.weighed');
    await keyboard.enter(page.getByRole('button', { name: 'Resend' }));
    await page.getByText('Delivered. Nothing more is sent.').waitFor();
  });
});
