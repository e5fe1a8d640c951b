import { expect, test } from '@jest/globals';
import type { CarrierConnectionList } from '@parcelway/contracts/carrier-connection-api';
import type { Merchant } from '@parcelway/harness/merchant';
import { expectRoute } from '@parcelway/harness/route-call';
import { until } from '@parcelway/kernel/testing/until';
import { hasFocus } from '../page-window.ts';
import { useConsole } from './use-console.ts';

/* A merchant's own accounts with vendors of tracking data. */

const { stage, signedIn } = useConsole();

const connectionsOf = async ({ client }: Merchant) => (await expectRoute<CarrierConnectionList>(client, 'listConnections', {})).connections;

test('a connection is created by keyboard, changed, tested and deleted; no credential is shown again', async () => {
  const owner = await stage.operator.newMerchant();
  const at = await signedIn(owner, '#/connections');
  const { page } = at;
  const dialog = page.getByRole('dialog');
  await page.getByText('No connections yet').waitFor();
  await at.enter(at.button('Connect an account'));
  await page.getByLabel('Vendor').selectOption('easypost');
  await page.getByLabel('Carriers', { exact: true }).fill('dhl');
  await at.enter(at.button('Connect'));
  const key = page.getByLabel('Key', { exact: true });
  await until(() => hasFocus(key), { what: 'the focus to be on the missing credential' });
  await page.keyboard.type('of-the-account');
  await page.getByLabel('Secret of the webhook').fill('proof-of-the-pushes');
  await page.getByText('Limits of the account').click();
  await page.getByLabel('Calls per day').fill('5000');
  await at.enter(at.button('Connect'));
  const card = page.getByRole('region', { name: 'EasyPost' });
  await card.getByText('key, webhook_secret').waitFor();
  expect(await page.content()).not.toContain('of-the-account');
  expect(await connectionsOf(owner)).toMatchObject([{ source: 'easypost', carriers: ['dhl'], limits: { calls_per_day: 5000 } }]);

  await at.enter(card.getByRole('button', { name: 'Change' }));
  await page.getByLabel('Carriers', { exact: true }).fill('dhl, dhl-express');
  await page.getByLabel('Remove Secret of the webhook').check();
  await at.button('Save changes').click();
  await dialog.waitFor({ state: 'detached' });
  expect(await connectionsOf(owner)).toMatchObject([{ carriers: ['dhl', 'dhl-express'], credential_names: ['key'] }]);

  await page.route('**/carrier-connections/*/test', (route) =>
    route.fulfill({
      json: {
        code: '0',
        message: 'success',
        data: { connection_id: 'x', result: 'access_denied', message: 'Check the key of your account.' },
      },
    }),
  );
  await at.enter(card.getByRole('button', { name: 'Test' }));
  await card.getByRole('status').getByText('The vendor refuses the credentials').waitFor();
  await card.getByText('Check the key of your account.').waitFor();
  await at.enter(card.getByRole('button', { name: 'Delete' }));
  await dialog.getByRole('button', { name: 'Delete' }).click();
  await page.getByText('No connections yet').waitFor();
  expect(await connectionsOf(owner)).toEqual([]);
});
