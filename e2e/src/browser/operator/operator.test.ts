import { describe, expect, test } from '@jest/globals';
import { Merchant, newPoNumber } from '@parcelway/harness/merchant';
import { until } from '@parcelway/kernel/testing/until';
import { hasFocus } from '../page-window.ts';
import { useOperatorPage } from './use-operator-page.ts';

/* The operators' page on the admin port, in a browser. */

const { stage, open, tokenOf } = useOperatorPage();
const mainToken = (): string => stage.platform.quickstart.admin.token;

describe('signing in', () => {
  test('the token is in no storage, address, cookie or attribute, and a reload forgets it', async () => {
    const at = await open();
    await at.signIn(mainToken());
    await at.page.getByText('admin (admin)').waitFor();
    const kept = await at.page.evaluate(
      'JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie, location.href, document.documentElement.outerHTML, history.state, window.name])',
    );
    expect(kept).toContain('Parcelway');
    expect(kept).not.toContain(mainToken());
    await at.page.reload();
    expect(await at.page.getByLabel('Operator token').inputValue()).toBe('');
  });

  test('ends when the token is revoked, and says so', async () => {
    const at = await open();
    await at.signIn(await tokenOf('leaves', 'read'));
    await stage.operator.admin.expectOk('/admin/v1/operators/leaves/revoke', { method: 'POST' });
    await at.page.getByRole('link', { name: 'Tenants' }).click();
    await at.page.getByText('You were signed out').waitFor();
  });
});

describe('what the operator sees', () => {
  test('is the state of the services and what waits', async () => {
    await stage.clerk.report(stage.clerk.event({ type: 'arrival', express_no: newPoNumber('LOST') }));
    const at = await open();
    await at.signIn(await tokenOf('looks', 'read'));
    await at.heading('Overview').waitFor();
    await at.page.getByRole('row', { name: /warehouse-intake Ready/ }).waitFor();
    await at.page.getByText('There are no dead letters.').waitFor();
    const queues = at.page.locator('section.card').filter({ has: at.page.getByRole('heading', { name: 'Queues' }) });
    const unclaimed = at.page.getByRole('row', { name: /^warehouse-intake Unclaimed events \d+ –$/ });
    // The figures are up to five seconds old.
    await until(
      async () => {
        if ((await unclaimed.count()) === 1) return true;
        await queues.getByRole('button', { name: 'Refresh' }).click();
        return false;
      },
      { what: 'the event to be counted', everyMs: 500 },
    );
    await at.page.getByRole('link', { name: /^Waiting: \d+\+?$/ }).click();
    await at.heading('Unclaimed parcels').waitFor();
    // Their resolution needs another role.
    expect(await at.button('Assign').count()).toBe(0);
    expect(await at.page.getByRole('link', { name: 'Operators' }).count()).toBe(0);
  });

  test('are tenants, found by the beginning of their name, with keys and figures; support revokes a key', async () => {
    const name = newPoNumber('Shop');
    const owner = await stage.operator.newMerchant();
    await stage.operator.admin.expectOk(`/admin/v1/tenants/${owner.identity.tenantId}`, { method: 'PATCH', body: { name } });
    await owner.submit({});
    const at = await open();
    await at.signIn(await tokenOf('helps', 'support'));
    await at.visit('#/tenants');
    await at.page.getByLabel('Id, or the beginning of the name').fill(name.slice(0, -2));
    await at.page.keyboard.press('Enter');
    await at.enter(at.page.getByRole('link', { name }));
    await at.heading(name).waitFor();
    await at.settled();
    await at.page.getByText('Keys that work').waitFor();
    await at.page.getByText('There are no webhook endpoints.').waitFor();
    await at.page.getByText('There are no connections of this tenant.').waitFor();
    await at.enter(at.button('Revoke').first());
    await at.page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click();
    await at.page.getByText('The key is revoked.').waitFor();
    await at.page.getByRole('row', { name: /Revoked/ }).waitFor();
  });

  test('are unclaimed parcels, which admin resolves', async () => {
    const number = newPoNumber('LOST');
    const owner = await stage.operator.newMerchant();
    await stage.clerk.report(stage.clerk.event({ type: 'arrival', express_no: number }));
    const { forecast_no } = await owner.submit({});
    await stage.clerk.untilForecast(forecast_no);
    const at = await open();
    await at.signIn(mainToken());
    await at.visit('#/unclaimed');
    const row = at.page.getByRole('row', { name: new RegExp(number) });
    await row.getByRole('button', { name: 'Assign' }).click();
    await at.page.getByLabel('Forecast number').fill(forecast_no);
    await at.page.keyboard.press('Enter');
    await at.page.getByText('The parcel is assigned.').waitFor();
    await at.page.getByRole('row', { name: new RegExp(`Assign .*${forecast_no}`) }).waitFor();
  });

  test('begins with a tenant and a warehouse, each with a key that works, and finds a parcel by its number', async () => {
    const at = await open();
    await at.signIn(mainToken());
    const keyOf = async (): Promise<string> => {
      const key = String(await at.page.locator('code.token').textContent());
      await at.button('I have saved it').click();
      return key;
    };
    const confirm = (name: string) => at.page.getByRole('dialog').getByRole('button', { name }).click();

    const code = newPoNumber('WH').replaceAll('-', '').slice(0, 32);
    await at.enter(at.page.getByRole('link', { name: 'Warehouses' }));
    await at.button('Create warehouse').click();
    await at.page.getByLabel('Code', { exact: true }).fill(code);
    await at.page.getByLabel('Name', { exact: true }).fill('Second warehouse');
    await confirm('Create warehouse');
    await at.page
      .getByRole('row', { name: new RegExp(code) })
      .getByRole('button', { name: 'Create key' })
      .click();
    await confirm('Create key');
    expect(await keyOf()).toMatch(/^pf_/);

    const name = newPoNumber('Shop');
    await at.enter(at.page.getByRole('link', { name: 'Tenants' }));
    await at.button('Create tenant').click();
    await at.page.getByLabel('Name', { exact: true }).fill(name);
    await confirm('Create tenant');
    const key = await keyOf();
    await at.heading(name).waitFor();
    await at.button('Create key').click();
    await confirm('Create key');
    expect(await keyOf()).not.toBe(key);

    const poNumber = newPoNumber('FOUND');
    const identity = { tenantId: '', keyId: '', key, warehouseCode: stage.clerk.code };
    const merchant = new Merchant(stage.platform.client(key), identity);
    const { forecast_no } = await merchant.submit({ poNumber, forecastType: 1 });
    await stage.clerk.untilForecast(forecast_no);
    await at.enter(at.page.getByRole('link', { name: 'Parcels' }));
    await at.arrived('Parcels');
    await at.page.getByLabel('Any number of the parcel').fill(poNumber);
    await at.page.keyboard.press('Enter');
    const row = at.page.getByRole('row', { name: new RegExp(`${forecast_no} ${poNumber} ${name} Accepted`) });
    // The search hears of a new parcel a moment later than the warehouse.
    await until(
      async () => {
        await at.settled();
        if ((await row.count()) === 1) return true;
        await at.button('Refresh').click();
        return false;
      },
      { what: 'the parcel to be found', everyMs: 500 },
    );
    await at.page.getByLabel('Any number of the parcel').fill('NO-SUCH-NUMBER');
    await at.page.keyboard.press('Enter');
    await at.page.getByText('No parcel has exactly this number.').waitFor();
  });

  test('are dead letters, redriven after a question', async () => {
    const at = await open();
    const topic = 'forecast.events.v1';
    const dead = {
      topic,
      partition: 3,
      offset: '17',
      key: null,
      group: 'webhook',
      reason: 'broken',
      failed_at: '2026-11-21T08:00:00Z',
      value: '{}',
    };
    const respond = (data: object) => ({ contentType: 'application/json', body: JSON.stringify({ code: '0', message: 'success', data }) });
    const asked: unknown[] = [];
    await at.page.route('**/admin/v1/dead-letters?*', (route) => route.fulfill(respond({ dead_letters: [dead] })));
    await at.page.route('**/admin/v1/dead-letters/redrive', (route) => {
      asked.push(route.request().postDataJSON());
      return route.fulfill(respond({ redriven: 1, passed_over: 0 }));
    });
    await at.signIn(await tokenOf('redrives', 'support'));
    await at.visit(`#/dead-letters/${topic}`);
    await at.page.getByRole('row', { name: '3:17 webhook broken' }).waitFor();
    await at.button('Redrive').click();
    await at.page.getByRole('dialog').waitFor();
    expect(asked).toEqual([]);
    await at.page.keyboard.press('Escape');
    await until(() => hasFocus(at.button('Redrive')), { what: 'the focus to be back at Redrive' });
    await at.page.keyboard.press('Enter');
    await at.page.getByRole('dialog').getByRole('button', { name: 'Redrive' }).click();
    await at.page.getByText('Redriven: 1.').waitFor();
    expect(asked).toEqual([{ topic }]);
  });

  test('are operators, whom admin creates with a token that is shown once, and revokes', async () => {
    const at = await open();
    await at.signIn(mainToken());
    await at.visit('#/operators');
    await at.button('Create operator').click();
    await at.page.getByLabel('Name', { exact: true }).fill('Not A Name');
    await at.page.keyboard.press('Enter');
    await at.page.getByText('must have 1 to 32 characters').waitFor();
    await at.page.getByLabel('Name', { exact: true }).fill('new-one');
    await at.page.getByLabel(/^support/).check();
    await at.page.getByRole('dialog').getByRole('button', { name: 'Create operator' }).click();
    const token = await at.page.locator('code.token').textContent();
    expect(token).toMatch(/^pfo_/);
    await at.button('I have saved it').click();
    expect(await at.page.content()).not.toContain(String(token));
    const row = at.page.getByRole('row', { name: /new-one support/ });
    await row.getByRole('button', { name: 'Revoke' }).click();
    await at.page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click();
    await at.page.getByText('The token is revoked.').waitFor();
    // The button that asked is gone.
    const heading = at.page.getByRole('heading', { level: 1, name: 'Operators' });
    await until(() => hasFocus(heading), { what: 'the focus to be on the heading' });
  });
});
