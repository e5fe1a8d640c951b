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
    const field = dialog.getByLabel('API key');
    // Browsers do not store fields without a name. A blank key is not sent.
    expect(await field.getAttribute('name')).toBeNull();
    await field.fill(' ');
    await page.keyboard.press('Enter');
    expect(await dialog.getByRole('alert').count()).toBe(0);
    await field.fill(owner.identity.key);
    await page.keyboard.press('Enter');
    await dialog.waitFor({ state: 'detached' });
    await page.getByRole('alert').waitFor({ state: 'detached' });
    expect(await page.getByLabel('URL', { exact: true }).inputValue()).toBe('https://being-entered.example/');
    await page.clock.fastForward('08:00:01');
    await page.getByRole('alert').getByText('Your session has ended.').waitFor();
  });
});

test('a link opens the console with its scopes, leaves the address, survives a reload, and says when it ends', async () => {
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

const openIn = (page: Page, token: string): Promise<unknown> => page.evaluate(`location.hash = ${JSON.stringify(`#link=${token}`)}`);

test('a link that opens nothing leaves the session of the tab as it was, and the page says why', async () => {
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

test('the key of somebody who signs in is in no storage, address, cookie or attribute', async () => {
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
