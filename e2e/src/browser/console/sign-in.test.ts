import { describe, expect, test } from '@jest/globals';
import { until } from '@parcelway/kernel/testing/until';
import { subscribed } from '../../subscription.ts';
import { useConsole } from './use-console.ts';

/* Signing in to the console, and what becomes of the key. */

const { stage, open, signedIn } = useConsole({ WEBHOOK_RETRY_SCHEDULE: '0s,50ms' });

describe('signing in', () => {
  test('a wrong key is explained, and nothing else is shown', async () => {
    const { page } = await open();
    await page.getByLabel('API key').fill('pf_test_not-a-key');
    await page.keyboard.press('Enter');
    expect(await page.getByRole('alert').textContent()).toContain('invalid, expired, revoked, or belongs to the other environment');
    expect(await page.getByRole('navigation').count()).toBe(0);
  });

  test('the key of a warehouse is refused with the reason', async () => {
    const { page } = await open();
    await page.getByLabel('API key').fill(stage.platform.quickstart.warehouse.api_key);
    await page.keyboard.press('Enter');
    expect(await page.getByRole('alert').textContent()).toContain('Sign in with the key of a tenant');
  });

  test('the key is in no storage, address, cookie or attribute', async () => {
    const owner = await stage.operator.newMerchant();
    const { key } = owner.identity;
    const { page } = await signedIn(owner);
    const kept = await page.evaluate(
      'JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie, location.href, document.documentElement.outerHTML, history.state, window.name])',
    );
    expect(kept).toContain('Parcelway');
    expect(kept).not.toContain(key);
    expect((await page.context().storageState({ indexedDB: true })).origins).toEqual([]);
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByLabel('API key').waitFor();
    expect(await page.getByLabel('API key').inputValue()).toBe('');
  });

  test('an address that was opened before leads there afterwards, under whatever prefix', async () => {
    const { owner, receiver, endpoint } = await subscribed(stage);
    const at = await open();
    const { page } = at;
    // A proxy in front that adds a folder of its own.
    await page
      .context()
      .route('**/behind/a-proxy/**', (route) => route.continue({ url: route.request().url().replace('/behind/a-proxy', '') }));
    await page.goto(`${stage.platform.quickstart.base_url}/behind/a-proxy/console#/webhooks/${endpoint.endpoint_id}`);
    await at.signIn(owner.identity.key);
    await at.heading(receiver.url).waitFor();
  });

  test('signing out ends the session; a revoked key does, too, and says so', async () => {
    const owner = await stage.operator.newMerchant();
    const { key, keyId } = owner.identity;
    const { page } = await signedIn(owner);
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByLabel('API key').fill(key);
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Refresh' }).waitFor();
    await stage.operator.revokeKey(keyId);
    await until(async () => {
      if ((await page.getByLabel('API key').count()) > 0) return true;
      await page.getByRole('button', { name: 'Refresh' }).click();
      return false;
    });
    expect(await page.getByRole('alert').textContent()).toContain('expired or has been revoked');
  });
});
