import { describe, expect, test } from '@jest/globals';
import type { ConsoleLink } from '@parcelway/contracts/console-api';
import type { Merchant } from '@parcelway/harness/merchant';
import { callRoute, expectRoute } from '@parcelway/harness/route-call';
import { until } from '@parcelway/kernel/testing/until';
import type { Page } from 'playwright-core';
import { useConsole } from './use-console.ts';

/* Sessions of the console: reloads, links, frames, and how they end. */

const { stage, open, signedIn } = useConsole();

const linkOf = (owner: Merchant, body: object = {}): Promise<ConsoleLink> =>
  expectRoute<ConsoleLink>(owner.client, 'createConsoleLink', { body });
const sections = (page: Page): Promise<string[]> => page.getByRole('navigation', { name: 'Main' }).getByRole('link').allInnerTexts();
const kept = (page: Page): Promise<unknown> => page.evaluate('sessionStorage.length');

/** Opens an address as a new document, even when only its fragment differs. */
async function follow(page: Page, url: string): Promise<void> {
  await page.goto('about:blank');
  await page.goto(url);
}

describe('a session', () => {
  test('survives a reload without the key, and no other tab has it', async () => {
    const owner = await stage.operator.newMerchant();
    const at = await signedIn(owner, '#/webhooks');
    const { page } = at;
    const sent: string[] = [];
    page.on('request', (request) => sent.push(request.headers()['x-api-key'] ?? ''));
    await page.reload();
    await at.heading('Webhook endpoints').waitFor();
    const used = new Set(sent.filter((key) => key !== ''));
    expect([...used]).toEqual([expect.stringMatching(/^pfs_s1\./)]);
    const other = await page.context().newPage();
    await other.goto(page.url());
    await other.getByLabel('API key').waitFor();
  });

  test('ends when somebody signs out, also for the next reload', async () => {
    const { page } = await signedIn(await stage.operator.newMerchant());
    expect(await kept(page)).toBe(1);
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByLabel('API key').waitFor();
    expect(await kept(page)).toBe(0);
    await page.reload();
    await page.getByLabel('API key').waitFor();
    expect(await page.getByRole('alert').count()).toBe(0);
  });

  test('that was revoked meanwhile says so after a reload', async () => {
    const owner = await stage.operator.newMerchant();
    const { page } = await signedIn(owner);
    // What the page asks for later may notice the end before a reload.
    await page.waitForLoadState('networkidle');
    await stage.operator.revokeKey(owner.identity.keyId);
    await until(async () => (await callRoute(owner.client, 'getOwnAccess')).code === '40003', { what: 'the end of the key' });
    await page.reload();
    const ended = page.getByRole('alert');
    await ended.waitFor();
    expect(await ended.textContent()).toContain('Your session has ended.');
    expect(await kept(page)).toBe(0);
  });

  test('asks for the key again before it makes keys after a reload', async () => {
    const owner = await stage.operator.newMerchant();
    const at = await signedIn(owner, '#/keys');
    const { page } = at;
    await page.reload();
    await at.button('Create key').click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('API key').fill(owner.identity.key);
    expect(await at.seriousFaults()).toEqual([]);
    const again = dialog.getByRole('button', { name: 'Enter the key again' });
    const stranger = await stage.operator.newMerchant();
    await dialog.getByLabel('API key').fill(stranger.identity.key);
    await again.click();
    await dialog.getByRole('alert').getByText('This key belongs to another account.').waitFor();
    await dialog.getByLabel('API key').fill(owner.identity.key);
    await again.click();
    await page.getByLabel('Description', { exact: true }).fill('After a reload');
    await page.getByLabel('weighing:read').check();
    await dialog.getByRole('button', { name: 'Create key' }).click();
    await dialog.getByText('it is shown only once').waitFor();
  });

  test('warns before it ends, goes on with the key, and keeps what is being entered', async () => {
    const owner = await stage.operator.newMerchant();
    const at = await open();
    const { page } = at;
    await page.clock.install();
    await page.reload();
    await at.signIn(owner.identity.key);
    await at.visit('#/webhooks/new');
    await page.getByLabel('URL', { exact: true }).fill('https://being-entered.example/');
    await page.clock.fastForward('07:51:00');
    await page.getByRole('alert').getByText('Your session ends soon').waitFor();
    await at.button('Enter the key again').click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('API key').fill(owner.identity.key);
    await page.keyboard.press('Enter');
    await dialog.waitFor({ state: 'detached' });
    await page.getByRole('alert').waitFor({ state: 'detached' });
    expect(await page.getByLabel('URL', { exact: true }).inputValue()).toBe('https://being-entered.example/');
    await page.clock.fastForward('08:00:01');
    await page.getByRole('alert').getByText('Your session has ended.').waitFor();
  });
});

describe('a link', () => {
  test('opens the console with its scopes, leaves the address, survives a reload, and says when it ends', async () => {
    const owner = await stage.operator.newMerchant();
    const link = await linkOf(owner, { scopes: ['weighing:read', 'tracking:read'] });
    const at = await open();
    const { page } = at;
    await page.clock.install();
    await follow(page, link.url);
    for (const times of [1, 2]) {
      await page.getByRole('status').getByText('You opened the console with a link.').waitFor();
      expect([times, await sections(page)]).toEqual([times, ['Parcels']]);
      expect(await page.evaluate('location.href + JSON.stringify(history.state)')).not.toContain('pfs_');
      await page.reload();
    }
    expect(await at.seriousFaults()).toEqual([]);
    await page.getByRole('status').getByText('You opened the console with a link.').waitFor();
    await page.clock.fastForward('51:00');
    await page.getByRole('alert').getByText('Your session ends soon').waitFor();
    expect(await at.button('Enter the key again').count()).toBe(0);
    await page.clock.fastForward('09:01');
    await page.getByRole('alert').getByText('open a new link').waitFor();
  });

  test('takes the place of the session of its tab, also without a new document, and speaks Chinese', async () => {
    const at = await signedIn(await stage.operator.newMerchant('First of two'), undefined, { locale: 'zh-CN', width: 390 });
    const { page } = at;
    const { url } = await linkOf(await stage.operator.newMerchant('Second of two'));
    await page.evaluate(`location.hash = ${JSON.stringify(new URL(url).hash)}`);
    await page.getByText('您通过链接打开了控制台').waitFor();
    await page.getByTitle('Second of two').waitFor({ state: 'attached' });
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(390);
    expect(await at.seriousFaults()).toEqual([]);
  });

  test('that does not work says so, and one that cannot be proved now is tried again', async () => {
    const { page } = await open();
    await follow(page, `${stage.platform.quickstart.base_url}/console#link=pfs_s1.abc.def`);
    await page.getByRole('alert').getByText('Your session has ended.').waitFor();
    const { url } = await linkOf(await stage.operator.newMerchant());
    await page.route('**/open/v1/me', (route) => route.fulfill({ status: 502, body: 'Bad gateway' }));
    await follow(page, url);
    const retry = page.getByRole('button', { name: 'Try again' });
    await retry.waitFor();
    await page.unroute('**/open/v1/me');
    await retry.click();
    await page.getByText('You opened the console with a link.').waitFor();
  });
});

describe('a link that is refused leaves the session of the tab as it was, and the page says why', () => {
  const openIn = (page: Page, token: string): Promise<unknown> => page.evaluate(`location.hash = ${JSON.stringify(`#link=${token}`)}`);
  const tokenOf = ({ url }: ConsoleLink): string => new URL(url).hash.slice('#link='.length);
  const refused = (token: string, code: string): Promise<unknown> => {
    const client = stage.platform.client(token);
    return until(async () => (await callRoute(client, 'getOwnAccess')).code === code, { what: `the refusal ${code} of the link` });
  };

  test('when it opens nothing', async () => {
    const at = await signedIn(await stage.operator.newMerchant('Signed in before'));
    const { page } = at;
    await openIn(page, 'pfs_s1.abc.def');
    const said = page.getByRole('alert');
    await said.getByText('It has ended, was revoked, or is incomplete. Open a new link. You are signed in as before.').waitFor();
    await page.getByTitle('Signed in before').waitFor({ state: 'attached' });
    await at.heading('Parcels').waitFor();
    expect(page.url()).not.toContain('link=');
    expect(await at.seriousFaults()).toEqual([]);
    await said.getByRole('button', { name: 'Close' }).click();
    await said.waitFor({ state: 'detached' });
    expect(await page.evaluate('document.activeElement.id')).toBe('content');
    await page.reload();
    await page.getByTitle('Signed in before').waitFor({ state: 'attached' });
    expect(await said.count()).toBe(0);
  });

  test('when its tenant is suspended, also in Chinese', async () => {
    const other = await stage.operator.newMerchant('Suspended meanwhile');
    const token = tokenOf(await linkOf(other));
    await stage.operator.suspend(other.identity.tenantId);
    await refused(token, '40302');
    const at = await signedIn(await stage.operator.newMerchant('Signed in before'), undefined, { locale: 'zh-CN', width: 390 });
    const { page } = at;
    await openIn(page, token);
    await page.getByRole('alert').getByText('您打开的链接无法使用。 该链接所属的账户已被停用。 您仍保持之前的登录。').waitFor();
    await page.getByTitle('Signed in before').waitFor({ state: 'attached' });
    await at.heading('包裹').waitFor();
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(390);
    expect(await kept(page)).toBe(1);
  });

  test('when its key does not allow the address', async () => {
    const other = await stage.operator.newMerchant();
    const another = await stage.operator.withKey(other);
    const token = tokenOf(await linkOf(another));
    const path = { key_id: another.identity.keyId };
    await expectRoute(other.client, 'updateKey', { path, body: { allowed_addresses: ['198.51.100.0/24'] } });
    await refused(token, '40301');
    const at = await signedIn(await stage.operator.newMerchant('Signed in before'));
    const { page } = at;
    await openIn(page, token);
    await page.getByRole('alert').getByText('Access is not allowed from your network address.').waitFor();
    await page.getByTitle('Signed in before').waitFor({ state: 'attached' });
    await at.heading('Parcels').waitFor();
    // Somebody who has no session sees the same reason.
    const { page: empty } = await open();
    await follow(empty, `${stage.platform.quickstart.base_url}/console#link=${token}`);
    await empty.getByRole('alert').getByText('Access is not allowed from your network address.').waitFor();
  });

  test('but not when it cannot be proved now: then it is tried again', async () => {
    const { page } = await signedIn(await stage.operator.newMerchant('Signed in before'));
    const token = tokenOf(await linkOf(await stage.operator.newMerchant('Of the link')));
    await page.route('**/open/v1/me', (route) => route.fulfill({ status: 502, body: 'Bad gateway' }));
    await openIn(page, token);
    const retry = page.getByRole('button', { name: 'Try again' });
    await retry.waitFor();
    expect(await page.getByTitle('Signed in before').count()).toBe(0);
    await page.unroute('**/open/v1/me');
    await retry.click();
    await page.getByTitle('Of the link').waitFor({ state: 'attached' });
  });
});
