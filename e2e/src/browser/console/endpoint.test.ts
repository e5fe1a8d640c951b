import { describe, expect, test } from '@jest/globals';
import type { WebhookEndpoint } from '@parcelway/contracts/webhook-endpoint-api';
import { expectRoute } from '@parcelway/harness/route-call';
import { settled, subscribed, weigh } from '../../subscription.ts';
import { useConsole } from './use-console.ts';

/* Webhook endpoints in the console. */

const { stage, signedIn } = useConsole({ WEBHOOK_RETRY_SCHEDULE: '0s,50ms' });

describe('an endpoint', () => {
  test('is created, changed, tested, paused, rotated and deleted', async () => {
    const owner = await stage.operator.newMerchant();
    const receiver = await stage.receiver();
    const at = await signedIn(owner, '#/webhooks');
    const { page } = at;
    await page.getByText('No endpoints yet').waitFor();
    await page.getByRole('link', { name: 'New endpoint' }).first().click();
    await page.getByLabel('URL').fill(receiver.url);
    expect(await page.getByRole('checkbox', { name: /^parcel\.exception/ }).isChecked()).toBe(true);
    await page.getByLabel('Event filter').fill('{"is_terminal": ');
    await page.getByText('This is not a JSON object').waitFor();
    await page.getByLabel('Event filter').fill('{"is_terminal": true}');
    await at.button('Add header').click();
    await page.getByLabel('Custom headers 1: Name').fill('Authorization');
    await page.getByLabel('Custom headers 1: Value').fill('Bearer of-the-receiver');
    await at.button('Create endpoint').click();
    const secret = await page.getByRole('dialog').locator('code').textContent();
    expect(secret).toMatch(/^whsec_/);
    await at.button('I have copied it').click();
    await page.getByRole('heading', { level: 1, name: receiver.url }).waitFor();
    expect(await page.content()).not.toContain(secret);
    expect(await page.content()).not.toContain('of-the-receiver');

    await at.button('Send test event').click();
    await page.getByLabel('Event type').selectOption('tracking.changed');
    await at.button('Send').click();
    const webhook = await receiver.waitFor(({ type }) => type === 'tracking.changed');
    expect(webhook.headers['authorization']).toBe('Bearer of-the-receiver');
    await page.getByRole('row', { name: /tracking\.changed Succeeded Test/ }).waitFor();

    await page.getByRole('link', { name: 'Edit' }).click();
    await page.getByLabel('Rate limit').fill('5');
    await at.button('Save changes').click();
    await page.getByText('5 per second').waitFor();
    await at.button('Pause').click();
    await page.getByText('Paused: events wait').waitFor();
    await at.button('Resume').click();
    await at.button('Pause').waitFor();
    await at.button('Rotate secret').click();
    await page.getByRole('dialog').getByRole('button', { name: 'Rotate secret' }).click();
    await page.getByText('stays valid for 24 hours').waitFor();
    expect(await page.getByRole('dialog').locator('code').textContent()).not.toBe(secret);
    await at.button('I have copied it').click();
    await page.getByText('Both secrets are valid until').waitFor();
    await at.button('Rotate secret').click();
    await page.getByText('If you rotate now, it becomes invalid immediately').waitFor();
    await page.getByLabel('Revoke the current secret immediately').check();
    await page.getByText('Only the new secret is valid from now on').waitFor();
    await page.getByRole('dialog').getByRole('button', { name: 'Rotate secret' }).click();
    await page.getByText('The previous secret is no longer valid').waitFor();
    await at.button('I have copied it').click();
    await page.getByText('Both secrets are valid until').waitFor({ state: 'detached' });
    const { endpoints } = await expectRoute<{ endpoints: WebhookEndpoint[] }>(owner.client, 'listEndpoints', {});
    expect(endpoints).toMatchObject([
      { rate_limit: 5, status: 'enabled', filter: { is_terminal: true }, headers: { Authorization: '***' } },
    ]);
    await at.button('Delete').click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await page.getByText('No endpoints yet').waitFor();
  });

  test('that was disabled holds events; enabling and replaying brings them', async () => {
    const { owner, receiver, endpoint } = await subscribed(stage);
    const at = await signedIn(owner, `#/webhooks/${endpoint.endpoint_id}`);
    const { page } = at;
    await at.button('Disable').click();
    await page.getByRole('dialog').getByRole('button', { name: 'Disable' }).click();
    await page.getByText('You disabled this endpoint.').waitFor();
    const poNumber = await weigh(owner);
    await settled(owner, endpoint.endpoint_id, 'held');
    await at.button('Refresh').click();
    await page.getByRole('row', { name: new RegExp(`Held ${poNumber}`) }).waitFor();
    await at.button('Enable').click();
    await at.button('Replay').click();
    await page.getByRole('dialog').getByRole('button', { name: 'Replay' }).click();
    await page.getByText('1 delivery is queued.').waitFor();
    await receiver.waitForEvent('parcel.weighed', poNumber);
    await page.getByRole('row', { name: new RegExp(`Succeeded ${poNumber}`) }).waitFor();
  });
});
