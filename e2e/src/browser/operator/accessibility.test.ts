import { describe, expect, test } from '@jest/globals';
import { newPoNumber } from '@parcelway/harness/merchant';
import { routeById } from '@parcelway/harness/route-call';
import { until } from '@parcelway/kernel/testing/until';
import { useOperatorPage } from './use-operator-page.ts';

/* Every view of the operators' page, in both themes: faults of accessibility, and widths. */

const { stage, open } = useOperatorPage();

describe.each(['light', 'dark'] as const)('in the %s theme', (colorScheme) => {
  test('no view has a serious fault of accessibility, and none is wider than a telephone', async () => {
    const owner = await stage.operator.newMerchant();
    const { tenantId } = owner.identity;
    const failed = await owner.client.call(routeById('submitForecast').path, { body: { po_number: 'P1' } });
    const callPath = `/admin/v1/tenants/${tenantId}/requests?request_id=${failed.headers['x-request-id']}`;
    const isRecorded = async (): Promise<boolean> =>
      (await stage.operator.admin.expectOk<{ requests: object[] }>(callPath)).requests.length === 1;
    await until(isRecorded, { what: 'the failed call to be recorded' });
    await stage.clerk.report(stage.clerk.event({ type: 'arrival', express_no: newPoNumber('LOST') }));
    const at = await open({ colorScheme });
    const { page } = at;
    const faults: Record<string, string[]> = {};
    const check = async (name: string): Promise<void> => {
      const found = await at.faultsAt(390);
      await page.setViewportSize({ width: 390, height: 780 });
      found.push(...(await at.seriousFaults()).map((fault) => `at 390 px: ${fault}`));
      await page.setViewportSize({ width: 1280, height: 860 });
      if (found.length > 0) faults[name] = found;
    };
    await check('sign in');
    await at.signIn(stage.platform.quickstart.admin.token);
    const views = [
      '#/',
      '#/tenants',
      `#/tenants/${tenantId}`,
      `#/tenants/${tenantId}/requests/${failed.headers['x-request-id']}`,
      '#/parcels?number=PO-1',
      '#/warehouses',
      '#/unclaimed',
      '#/dead-letters',
      '#/operators',
      '#/nowhere',
    ];
    for (const view of views) {
      await at.visit(view);
      await check(view);
    }
    for (const [view, button] of [
      ['#/operators', 'Create operator'],
      ['#/tenants', 'Create tenant'],
      ['#/warehouses', 'Create warehouse'],
      ['#/unclaimed', 'Dismiss'],
      [`#/tenants/${tenantId}`, 'Revoke'],
    ] as const) {
      await at.visit(view);
      await at.button(button).first().click();
      await page.getByRole('dialog').waitFor();
      await check(button);
      await page.keyboard.press('Escape');
    }
    await page.getByLabel('Language').selectOption('zh');
    for (const view of views) {
      await at.visit(view);
      await check(`${view} in Chinese`);
    }
    expect(await at.heading('页面不存在').count()).toBe(1);
    expect(faults).toEqual({});
  });
});
