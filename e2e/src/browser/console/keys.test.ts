import { expect, test } from '@jest/globals';
import type { OwnAccess } from '@parcelway/contracts/key-api';
import { expectRoute } from '@parcelway/harness/route-call';
import { until } from '@parcelway/kernel/testing/until';
import { hasFocus } from '../page-window.ts';
import { useConsole } from './use-console.ts';

/* A merchant's keys in the console. */

const { stage, open, signedIn } = useConsole();

/** Whose key it is. */
async function accessOf(key: string): Promise<OwnAccess> {
  return expectRoute<OwnAccess>(stage.platform.client(key), 'getOwnAccess', {});
}

test('keys are created by keyboard, shown once, changed, rotated and revoked', async () => {
  const owner = await stage.operator.newMerchant();
  const at = await signedIn(owner, '#/keys');
  const { page } = at;
  const dialog = page.getByRole('dialog');
  await at.enter(at.button('Create key'));
  await at.enter(dialog.getByRole('button', { name: 'Create key' }));
  const description = page.getByLabel('Description', { exact: true });
  await until(async () => (await hasFocus(description)) && (await description.getAttribute('aria-invalid')) === 'true', {
    what: 'the focus to be on the refused field',
  });
  await page.keyboard.type('Shop back end');
  await dialog.getByText('Must have at least one entry').waitFor();
  expect(await dialog.getByRole('checkbox', { checked: true }).count()).toBe(0);
  await page.getByLabel('weighing:read').check();
  await at.enter(dialog.getByRole('button', { name: 'Create key' }));
  await dialog.getByText('it is shown only once').waitFor();
  const first = String(await dialog.locator('code').textContent());
  expect((await accessOf(first)).key.scopes).toEqual(['weighing:read']);
  await page.keyboard.press('Escape');
  await at.enter(at.button('I have copied it'));
  const focused = page.locator(':focus');
  await until(async () => (await focused.count()) === 1 && (await focused.innerText()).includes(`${first.slice(0, 12)}`), {
    what: 'the focus to be on the row of the new key',
  });
  expect(await page.content()).not.toContain(first);
  const row = page.getByRole('row', { name: /Shop back end/ });
  await row.getByText('Active').waitFor();

  await at.enter(at.button('Change: Shop back end'));
  await page.getByLabel('Allowed addresses').fill('nowhere');
  await at.button('Save changes').click();
  await page.getByRole('alert').getByText('They are marked.').waitFor();
  await page.getByLabel('Allowed addresses').fill('127.0.0.0/8\n::1');
  await page.getByLabel('Expires').fill('2030-01-31T10:00');
  await at.button('Save changes').click();
  await dialog.waitFor({ state: 'detached' });
  expect((await accessOf(first)).key).toMatchObject({
    allowed_addresses: ['127.0.0.0/8', '::1'],
    expires_at: expect.stringContaining('2030-01-31'),
  });

  await at.enter(at.button('Rotate: Shop back end'));
  await page.getByLabel('The former key works for').selectOption('3600');
  await dialog.getByRole('button', { name: 'Rotate' }).click();
  await dialog.getByText(/^The former key \S+ works until /).waitFor();
  const second = String(await dialog.locator('code').textContent());
  await at.enter(at.button('I have copied it'));
  await until(async () => (await row.count()) === 2, { what: 'both keys to be listed' });
  await until(() => hasFocus(row.first().getByRole('rowheader').locator('[tabindex="-1"]')), {
    what: 'the focus to be on the row of the new key',
  });
  await page
    .getByRole('status')
    .getByText(/^The former key pf_test_\S+… works until /)
    .waitFor();
  const [signOfFirst, signOfSecond] = [first, second].map((key) => key.slice(0, 12));
  await row.first().getByText(`replaces ${signOfFirst}`).waitFor();
  await row
    .last()
    .getByText(new RegExp(`^replaced by ${signOfSecond}\\S*…; works until `))
    .waitFor();
  await row.first().getByRole('button', { name: 'Revoke: Shop back end' }).click();
  await dialog.getByText(signOfSecond ?? '').waitFor();
  await dialog
    .getByRole('listitem')
    .getByText(new RegExp(`${signOfFirst}.*works until`))
    .waitFor();
  expect(await at.seriousFaults()).toEqual([]);
  await dialog.getByRole('button', { name: 'Revoke' }).click();
  await row.first().getByText('Revoked').waitFor();
  // The button that asked is gone.
  await at.arrived('API keys');
  await until(async () => {
    const seen = await open();
    await seen.page.getByLabel('API key').fill(second);
    await seen.page.keyboard.press('Enter');
    return (await seen.page.getByRole('alert').textContent())?.includes('revoked') ?? false;
  });
  expect((await accessOf(first)).key.state).toBe('active');
});
